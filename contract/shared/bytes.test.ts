import { expect, test } from 'vitest'
import { formatBytes, formatBytesExact } from './bytes.ts'

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1 KiB'],
  [1.5 * 1024 ** 3, '1.5 GiB'],
  [15.6 * 1024 ** 3, '16 GiB'],
  [1023.9 * 1024 ** 2, '1024 MiB'],
  [2 * 1024 ** 4, '2 TiB'],
  [1024 ** 6, '1024 PiB'],
])('formats %d bytes as %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text))

test.each([
  [0, '0 B'],
  [1000, '1000 B'],
  [1.5 * 1024 ** 3, '1536 MiB'],
])('formats %d bytes exactly as %s', (bytes, text) => expect(formatBytesExact(bytes)).toBe(text))
