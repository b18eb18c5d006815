import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { root } from '../../../server/root.ts'

export interface Import {
  /** Path from the repository root, or package name. */
  to: string
  ours: boolean
}

export interface Source {
  path: string
  text: string
  imports: Import[]
}

const imported =
  /(?:^|\n)\s*(?:import|export)\s[^'"]*?from\s+'([^']+)'|import\(\s*'([^']+)'\s*\)|(?:^|\n)import '([^']+)'/g

/** Tracked and new files, without deleted ones. */
const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
export const sources: Source[] = listed
  .split('\n')
  .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
  .filter((path) => existsSync(join(root, path)))
  .map(readSource)

function readSource(path: string): Source {
  const text = readFileSync(join(root, path), 'utf8')
  const imports = [...text.matchAll(imported)].map(([, from, lazy, bare]) =>
    resolve(path, from ?? lazy ?? bare ?? ''),
  )
  return { path, text, imports }
}

function resolve(from: string, to: string): Import {
  return to.startsWith('.') ? { to: normalize(join(dirname(from), to)), ours: true } : { to, ours: false }
}

const isTest = ({ path }: Source) => /\.test\.tsx?$/.test(path) || path.startsWith('test/')
export const code = sources.filter((source) => !isTest(source))
export const below = (folder: string) => code.filter(({ path }) => path.startsWith(`${folder}/`))

/** Forbidden imports as "file -> import". */
export const offending = (files: Source[], forbidden: (found: Import, file: Source) => boolean) =>
  files.flatMap((file) =>
    file.imports.filter((found) => forbidden(found, file)).map(({ to }) => `${file.path} -> ${to}`),
  )
