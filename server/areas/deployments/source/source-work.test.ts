import { expect, test } from 'vitest'
import { readScript } from '../../../platform/read-script.ts'
import { exitCodes, sourcesFolder } from './source-work.ts'

test('the shell scripts define the same exit codes', () => {
  const defined = [...readScript('source-exit-codes.sh').matchAll(/^ *exit_(\w+)=(\d+)$/gm)]
  const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  expect(Object.fromEntries(defined.map(([, name = '', code]) => [camelCase(name), Number(code)]))).toEqual(
    exitCodes,
  )
})

test('the shell scripts use the same folder', () => {
  expect(readScript('build-lock-path.sh')).toContain(`sources=${sourcesFolder}\n`)
})
