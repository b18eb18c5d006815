// @ts-check
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/**
 * Bundles the server and its imports into one file with a cache of its compiled code, which start-one-file.mjs runs.
 * Tests start the server more than a hundred times, so the CPU time of a start matters.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'dist/one')

// The server is bundled as a script, because Node cannot cache the compiled code of modules.
await bundle(['server/main.ts'], 'cjs')
// Worker threads load their files from the folder of the main file.
await bundle(
  [
    'server/platform/worker-thread-entry.ts',
    'server/areas/applications/changes/compare-configurations.ts',
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
    // These packages load files of their own, so they are not bundled.
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
          // A script must be one file, because a chunk would load the script again.
          ...(format === 'cjs' ? { codeSplitting: false } : { chunkFileNames: 'chunk-[name].js' }),
        },
      },
    },
  })
}

/** Starts the server to write the cache. Without a valid port, the server exits immediately. */
function compile() {
  const { stderr } = spawnSync(process.execPath, [join(root, 'scripts/start-one-file.mjs'), '--write'], {
    env: { PATH: process.env['PATH'], PORT: 'none' },
    encoding: 'utf8',
  })
  if (!existsSync(join(folder, 'main.cache')) || !stderr.includes('PORT'))
    throw new Error(`The server could not be loaded:\n${stderr}`)
}
