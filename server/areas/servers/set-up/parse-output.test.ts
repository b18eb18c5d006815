import { expect, test } from 'vitest'
import { parseSetupOutput } from './parse-output.ts'

const fresh = { step: 'connect', warnings: [] }

test('assigns a warning to the step before it', () => {
  const said =
    '==> check: Looking\nWarning: little room.\n==> docker: Looking\n==> compose: Looking\nWarning: none.\n'
  expect(parseSetupOutput(said, fresh)).toEqual({
    step: 'compose',
    warnings: JSON.stringify([
      { step: 'check', text: 'Little room.' },
      { step: 'compose', text: 'None.' },
    ]),
  })
})

test('appends later warnings and drops duplicates', () => {
  const known = { step: 'compose', warnings: [{ step: 'check' as const, text: 'Little room.' }] }
  expect(parseSetupOutput('Warning: little room.\n', known)).toEqual({})
  expect(parseSetupOutput('Warning: none.\nWarning: none.\n==> git: Looking\n', known)).toEqual({
    step: 'git',
    warnings: JSON.stringify([...known.warnings, { step: 'compose', text: 'None.' }]),
  })
})

test('limits the number of warnings', () => {
  const said = Array.from({ length: 1000 }, (_, i) => `Warning: ${i} ${'x'.repeat(1000)}\n`).join('')
  expect(parseSetupOutput(said, fresh).warnings?.length).toBeLessThan(12_000)
})

test('uses the last error and ignores marks within a line', () => {
  expect(parseSetupOutput('!! One.\n!! Two.\n', fresh)).toEqual({ error: 'Two.' })
  expect(parseSetupOutput('It said: Warning: x\nSee ==> git: x\n==> other: x\nAlso !! x\n', fresh)).toEqual(
    {},
  )
})
