import { expect, it } from 'vitest'
import { formatCommand } from './format-command.ts'

it('quotes arguments like a shell', () => {
  expect(formatCommand(['nginx', '-g', 'daemon off;'])).toBe("nginx -g 'daemon off;'")
  expect(formatCommand(['sh', '-c', "echo 'hi'"])).toBe(String.raw`sh -c 'echo '\''hi'\'''`)
  expect(formatCommand(['a', ''])).toBe("a ''")
  expect(formatCommand([])).toBe('')
})
