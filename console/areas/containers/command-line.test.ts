import { expect, it } from 'vitest'
import { commandLine } from './command-line.ts'

it('reads as one would type it', () => {
  expect(commandLine(['nginx', '-g', 'daemon off;'])).toBe("nginx -g 'daemon off;'")
  expect(commandLine(['sh', '-c', "echo 'hi'"])).toBe(String.raw`sh -c 'echo '\''hi'\'''`)
  expect(commandLine(['a', ''])).toBe("a ''")
  expect(commandLine([])).toBe('')
})
