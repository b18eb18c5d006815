import { expect, test } from 'vitest'
import { matchesAny, matchesGlob, matchesName } from './decide-push.ts'
import { cpuTimeOf } from '../../../test/support/run/cpu-time.ts'

test.each([
  ['api/**', 'api/main.go', true],
  ['api/**', 'api/deep/er/main.go', true],
  ['api/**', 'apis/main.go', false],
  ['api', 'api/deep/main.go', true],
  ['api/', 'api/main.go', true],
  ['./api', 'api/main.go', true],
  ['api', 'api', true],
  ['api', 'web/api', false],
  ['**/api', 'web/api/main.go', true],
  ['**/api', 'api/main.go', true],
  ['*.md', 'README.md', true],
  ['*.md', 'docs/README.md', false],
  ['**/*.md', 'docs/deep/README.md', true],
  ['**/*.md', 'README.md', true],
  ['src/*/test/**', 'src/a/test/b.ts', true],
  ['src/*/test/**', 'src/a/b/test/b.ts', false],
  ['src/**/test/*.ts', 'src/a/b/test/c.ts', true],
  ['src/**/test/*.ts', 'src/test/c.ts', true],
  ['v?.txt', 'v1.txt', true],
  ['v?.txt', 'v10.txt', false],
  ['a.c', 'abc', false],
  ['[x].(y)+$', '[x].(y)+$', true],
  ['**', 'any/thing', true],
  ['', 'any', false],
  ['über/*', 'über/größe', true],
])('%s and %s: %s', (pattern, path, expected) => {
  expect(matchesGlob(path, pattern)).toBe(expected)
})

test('applies the last matching pattern, and excludes from all with exclusions alone', () => {
  const patterns = ['api/**', '!api/docs/**', 'api/docs/spec.json']
  expect(matchesAny('api/main.go', patterns)).toBe(true)
  expect(matchesAny('api/docs/index.md', patterns)).toBe(false)
  expect(matchesAny('api/docs/spec.json', patterns)).toBe(true)
  expect(matchesAny('web/main.ts', ['!docs/**'])).toBe(true)
  expect(matchesAny('docs/main.md', ['!docs/**'])).toBe(false)
})

test('matches slashes with the star of a tag pattern', () => {
  expect(matchesName('v1.2.3', 'v*')).toBe(true)
  expect(matchesName('release/api/v1', 'release/*')).toBe(true)
  expect(matchesName('release/api/v1', 'release/**')).toBe(true)
  expect(matchesName('nightly', 'v*')).toBe(false)
})

test('matches a pattern of many stars without delay', () => {
  const took = cpuTimeOf(() => {
    expect(matchesGlob('a'.repeat(2_000), '*a'.repeat(250) + 'b')).toBe(false)
    expect(matchesGlob('a/'.repeat(1_000) + 'a', '**/a/'.repeat(100) + 'b')).toBe(false)
  })
  expect(took).toBeLessThan(2_000)
})
