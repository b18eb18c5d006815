import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../root.ts'

export const scriptFolder = join(root, 'server/scripts')

/** Reads a shell script of `server/scripts`, and replaces each line `# include x.sh` by that file. */
export const readScript = (name: string): string =>
  readFileSync(join(scriptFolder, name), 'utf8').replace(/^# include (\S+)$/gm, (_, part: string) =>
    readScript(part),
  )
