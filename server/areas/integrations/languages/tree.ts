import type { languages } from '../../../../contract/integrations.ts'

/** What stands in a repository at a commit. */
export interface Tree {
  /** Of files, without a slash at the beginning. */
  paths: readonly string[]
  /** Undefined where there is none, or where it is no text. */
  read: (path: string) => Promise<string | undefined>
}

export interface Found {
  language: (typeof languages)[number]
  /** What was found, and by what, as a sentence. */
  says: string
  dockerfile: string
  port: number
}

/** As it looks from a folder of it. */
export function inside(tree: Tree, folder: string): Tree {
  if (folder === '') return tree
  const prefix = `${folder}/`
  return {
    paths: tree.paths.flatMap((path) => (path.startsWith(prefix) ? [path.slice(prefix.length)] : [])),
    read: (path) => tree.read(`${prefix}${path}`),
  }
}

/** The lines of a Dockerfile; what does not apply is left out. */
export const lines = (...all: (string | false | undefined)[]) =>
  `${all.filter((line) => line !== false && line !== undefined).join('\n')}\n`

/** Of a Procfile, in which people say how their program is started. */
export async function readProcfile({ read }: Tree): Promise<string | undefined> {
  const text = await read('Procfile')
  return text && /^web:[ \t]*(\S.*)$/m.exec(text)?.[1]?.trim()
}

/** A program with its arguments needs no shell around it, which would keep signals from it. */
export const startWith = (command: string) =>
  /^[\w@%+=:,./ -]+$/.test(command) && !/^\w+=/.test(command)
    ? `CMD ${JSON.stringify(command.trim().split(/ +/))}`
    : `CMD ${JSON.stringify(['sh', '-c', command.startsWith('exec ') ? command : `exec ${command}`])}`

/** `1.2.3` of `v1.2.3`, as far as it is given; undefined where it is no version. */
export const versionOf = (text: string | undefined, parts: number) => {
  const found = /(\d+(?:\.\d+){0,2})/.exec(text ?? '')?.[1]
  return found?.split('.').slice(0, parts).join('.')
}
