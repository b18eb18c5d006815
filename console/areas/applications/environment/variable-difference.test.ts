import { expect, test } from 'vitest'
import { diffVariables } from './variable-difference.ts'

const pairs = (values: Record<string, string>) =>
  Object.entries(values).map(([key, value]) => ({ key, value }))

test('lists added, changed and removed variables without values', () => {
  const before = pairs({ PORT: '80', OLD: 'x', SAME: 's3cret' })
  const after = pairs({ SAME: 's3cret', PORT: '81', NEW: '' })
  expect(diffVariables(before, after)).toEqual([
    { key: 'PORT', kind: 'changed' },
    { key: 'NEW', kind: 'added' },
    { key: 'OLD', kind: 'removed' },
  ])
})

test('uses the last value of a repeated name', () => {
  const twice = [...pairs({ A: '1' }), ...pairs({ A: '2' })]
  expect(diffVariables(pairs({ A: '2' }), twice)).toEqual([])
})
