// @ts-check
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/** The server and all that it imports in one file, which starts in half the time: tests start it a hundred times. */
const root = fileURLToPath(new URL('..', import.meta.url))

await build({
  configFile: false,
  root,
  logLevel: 'error',
  // These load files of their own.
  ssr: { noExternal: true, external: ['@lydell/node-pty', '@node-rs/argon2', 'pino', 'ssh2'] },
  build: {
    ssr: true,
    outDir: 'dist/one',
    minify: false,
    target: 'node20',
    rollupOptions: {
      // Worker threads load their files from the folder of the main file.
      input: [
        'server/main.ts',
        'server/platform/worker-thread-entry.ts',
        'server/areas/applications/changes/changes.ts',
        'server/areas/applications/sensitive-values.ts',
        'server/areas/compose/check/validate-compose-file.ts',
        'server/areas/compose/persistent-mounts.ts',
        'server/areas/templates/check-template.ts',
        'server/areas/webhooks/github-payloads.ts',
        'server/areas/templates/draft-files.ts',
        'server/areas/templates/fill-inputs.ts',
      ],
      output: { entryFileNames: '[name].js', chunkFileNames: 'chunk-[name].js' },
    },
  },
})
