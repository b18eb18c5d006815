// @ts-check
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/**
 * The server and all that it imports in one file with its compiled code beside it, run by start-one-file.mjs. Less CPU time
 * for a start counts, because tests start it more than a hundred times.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'dist/one')

// A script, because Node cannot keep the compiled code of modules.
await bundle(['server/main.ts'], 'cjs')
// Worker threads load their files from the folder of the main file.
await bundle(
  [
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
  'es',
)
compile()

/**
 * @param {string[]} input
 * @param {'cjs' | 'es'} format
 */
async function bundle(input, format) {
  const extension = format === 'cjs' ? 'cjs' : 'js'
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    // These load files of their own.
    ssr: { noExternal: true, external: ['@lydell/node-pty', '@node-rs/argon2', 'pino', 'ssh2'] },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: format === 'cjs',
      minify: false,
      target: 'node20',
      rollupOptions: {
        input,
        output: {
          format,
          entryFileNames: `[name].${extension}`,
          // A part of a script would load the script again.
          ...(format === 'cjs' ? { codeSplitting: false } : { chunkFileNames: 'chunk-[name].js' }),
        },
      },
    },
  })
}

/** Loads the server, which ends at once without a valid port. */
function compile() {
  const { stderr } = spawnSync(process.execPath, [join(root, 'scripts/start-one-file.mjs'), '--write'], {
    env: { PATH: process.env['PATH'], PORT: 'none' },
    encoding: 'utf8',
  })
  if (!existsSync(join(folder, 'main.cache')) || !stderr.includes('PORT'))
    throw new Error(`The server could not be loaded:\n${stderr}`)
}
