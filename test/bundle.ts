import { chmod, mkdtemp, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'

const repository = new URL('..', import.meta.url).pathname

/** Makes one file that plain Node runs out of a program that imports our TypeScript, for tests that kill processes. */
export async function bundle(program: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-bundle-'))
  await chmod(folder, 0o755)
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'))
  await build({
    configFile: false,
    root: repository,
    logLevel: 'error',
    build: { ssr: join(repository, program), outDir: folder, emptyOutDir: false, minify: false },
  })
  return join(folder, program.replace(/.*\//, '').replace(/\.\w+$/, '.js'))
}
