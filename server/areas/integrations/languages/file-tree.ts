import type { languages } from '../../../../contract/integrations.ts'

/** Files of a repository at a commit. */
export interface FileTree {
  /** File paths without a leading slash. */
  paths: readonly string[]
  /** Undefined if the file is missing or not text. */
  read: (path: string) => Promise<string | undefined>
}

export interface DetectedBuild {
  language: (typeof languages)[number]
  /** Detection result as a sentence. */
  summary: string
  dockerfile: string
  port: number
}

/** Limits the tree to a folder. */
export function subTree(tree: FileTree, folder: string): FileTree {
  if (folder === '') return tree
  const prefix = `${folder}/`
  return {
    paths: tree.paths.flatMap((path) => (path.startsWith(prefix) ? [path.slice(prefix.length)] : [])),
    read: (path) => tree.read(`${prefix}${path}`),
  }
}

/** Joins the lines of a Dockerfile, skipping unset ones. */
export const joinLines = (...all: (string | false | undefined)[]) =>
  `${all.filter((line) => line !== false && line !== undefined).join('\n')}\n`

/** Reads the web command of a Procfile. */
export async function readProcfile({ read }: FileTree): Promise<string | undefined> {
  const text = await read('Procfile')
  return text && /^web:[ \t]*(\S.*)$/m.exec(text)?.[1]?.trim()
}

/** Uses the exec form if possible, so that the program receives signals. */
export const cmdInstruction = (command: string) =>
  /^[\w@%+=:,./ -]+$/.test(command) && !/^\w+=/.test(command)
    ? `CMD ${JSON.stringify(command.trim().split(/ +/))}`
    : `CMD ${JSON.stringify(['sh', '-c', command.startsWith('exec ') ? command : `exec ${command}`])}`

/** Extracts `1.2.3` from `v1.2.3`; undefined if it is not a version. */
export const parseVersion = (text: string | undefined, parts: number) => {
  const found = /(\d+(?:\.\d+){0,2})/.exec(text ?? '')?.[1]
  return found?.split('.').slice(0, parts).join('.')
}
