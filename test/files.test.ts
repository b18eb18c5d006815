import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { code, type Source, sources } from './support/run/sources.ts'

describe('every file', () => {
  const config = /^[^/]*\.config\.ts$|^(scripts|bench)\//
  const named = (files: Source[]) => files.map(({ path }) => path)

  test('has a specific name in kebab case', () => {
    const vague = /(^|\/)(utils?|helpers?|common|types?|index|misc|shared|service|manager)\.tsx?$/i
    expect(named(sources.filter(({ path }) => vague.test(path)))).toEqual([])
    const odd = sources.filter(
      ({ path }) => !/^[a-z0-9]+([-.][a-z0-9]+)*\.tsx?$/.test(path.replace(/.*\//, '')),
    )
    expect(named(odd)).toEqual([])
  })

  test('uses named exports', () => {
    expect(
      named(sources.filter(({ path, text }) => !config.test(path) && /^export default /m.test(text))),
    ).toEqual([])
  })

  test('is not a barrel', () => {
    const barrels = code.filter(({ text }) => {
      const lines = text.split('\n').filter((line) => line.trim() && !/^\s*(\/\/|\/?\*)/.test(line))
      return lines.length > 0 && lines.every((line) => /^export (\*|type \{|\{).* from '/.test(line))
    })
    expect(named(barrels)).toEqual([])
  })

  test('has at most 250 lines, or 400 in a test file', () => {
    // Data: a list of columns.
    const pages = sources.filter(({ path }) => path !== 'server/tables.ts')
    const long = pages.map(({ path, text }) => [path, text.split('\n').length - 1] as const)
    expect(long.filter(([path, lines]) => lines > (/\.test\.tsx?$/.test(path) ? 400 : 250))).toEqual([])
  })

  test('uses no any and no ts-ignore', () => {
    const loose = sources.filter(({ path, text }) => {
      const bare = text
        .replace(/\/\/.*|\/\*[^]*?\*\//g, '')
        .replace(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g, "''")
      return (
        path !== 'test/files.test.ts' && /: any\b|<any\b|\bas any\b|any\[\]|@ts-ignore|@ts-nocheck/.test(bare)
      )
    })
    expect(named(loose)).toEqual([])
  })

  test('reads the environment only in server/config.ts', () => {
    const allowed = /^(server\/config\.ts$|scripts\/|test\/|bench\/)|\.config\.ts$|\.test\.tsx?$/
    expect(
      named(sources.filter(({ path, text }) => !allowed.test(path) && /process\.env/.test(text))),
    ).toEqual([])
  })
})

test('has at most 40 source files per folder', () => {
  const folders = new Map<string, number>()
  for (const { path } of code) {
    const folder = path.replace(/\/[^/]*$/, '')
    folders.set(folder, (folders.get(folder) ?? 0) + 1)
  }
  expect([...folders].filter(([, count]) => count > 40)).toEqual([])
})

test('README files name only files that exist', () => {
  const readmes = [...new Set(sources.map(({ path }) => path.replace(/[^/]*$/, 'README.md')))].filter(
    existsSync,
  )
  const missing = readmes.flatMap((readme) => {
    const roots = [readme.replace('README.md', ''), 'server/areas/', 'server/', '']
    const paths = [...readFileSync(readme, 'utf8').matchAll(/`([\w./-]+\.(?:tsx?|sh|css))`/g)].map(
      ([, path]) => path,
    )
    return paths
      .filter((path) => !roots.some((root) => existsSync(root + path)))
      .map((path) => [readme, path])
  })
  expect(readmes.length).toBeGreaterThan(20)
  expect(missing).toEqual([])
})
