import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../../../root.ts'

/** In order: begin.sh defines shared variables, main.sh runs the steps. */
const parts = ['begin', 'check', 'packages', 'docker', 'tools', 'proxy', 'main']

/** The script that sets up a server, whole. */
export async function readScript(): Promise<string> {
  const folder = join(root, 'server/areas/servers/set-up/script')
  const texts = await Promise.all(parts.map((part) => readFile(join(folder, `${part}.sh`), 'utf8')))
  return texts.join('\n')
}
