import type { languages } from '../../../../contract/integrations.ts'

export interface FileTree {
  paths: readonly string[]
  /** Returns undefined if the file is missing or not text. */
  read: (path: string) => Promise<string | undefined>
}

export interface DetectedBuild {
  language: (typeof languages)[number]
  summary: string
  dockerfile: string
  port: number
}

export function subTree(tree: FileTree, folder: string): FileTree {
  if (folder === '') return tree
  const prefix = `${folder}/`
  return {
    paths: tree.paths.flatMap((path) => (path.startsWith(prefix) ? [path.slice(prefix.length)] : [])),
    read: (path) => tree.read(`${prefix}${path}`),
  }
}

export const joinLines = (...all: (string | false | undefined)[]) =>
  `${all.filter((line) => line !== false && line !== undefined).join('\n')}\n`

export async function readProcfile({ read }: FileTree): Promise<string | undefined> {
  const text = await read('Procfile')
  return text && /^web:[ \t]*(\S.*)$/m.exec(text)?.[1]?.trim()
}

/** Uses the exec form if possible, so that the program receives signals. */
export const cmdInstruction = (command: string) =>
  /^[\w@%+=:,./ -]+$/.test(command) && !/^\w+=/.test(command)
    ? `CMD ${JSON.stringify(command.trim().split(/ +/))}`
    : `CMD ${JSON.stringify(['sh', '-c', command.startsWith('exec ') ? command : `exec ${command}`])}`

export const parseVersion = (text: string | undefined, parts: number) => {
  const version = /(\d+(?:\.\d+){0,2})/.exec(text ?? '')?.[1]
  return version?.split('.').slice(0, parts).join('.')
}
