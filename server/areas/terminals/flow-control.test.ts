import { expect, test } from 'vitest'
import { OutputTail } from './flow-control.ts'

test('keeps everything that fits', () => {
  const tail = new OutputTail(10)
  expect(tail.read().toString()).toBe('')
  for (const piece of ['ab', 'c\n', 'defghi']) tail.push(Buffer.from(piece))
  expect(tail.read().toString()).toBe('abc\ndefghi')
})

test('starts with a complete line after dropping output', () => {
  const tail = new OutputTail(10)
  for (const piece of ['first\n', 'second\n', 'third']) tail.push(Buffer.from(piece))
  expect(tail.read().toString()).toBe('third')
  tail.push(Buffer.from('x'.repeat(30)))
  expect(tail.read().toString()).toBe('x'.repeat(10))
})

test('does not grow with any chunk size', () => {
  for (const size of [3, 70, 1000, 100_000]) {
    const tail = new OutputTail(1000)
    const piece = Buffer.alloc(size, 'a\n')
    for (let sent = 0; sent < 100_000; sent += size) tail.push(piece)
    const length = tail.read().length
    expect(length).toBeLessThanOrEqual(1000)
    expect(length).toBeGreaterThan(900)
  }
})
