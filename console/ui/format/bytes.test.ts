import { expect, test } from 'vitest'
import { bytesInWords } from './bytes.ts'

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1 KiB'],
  [1.5 * 1024 ** 3, '1.5 GiB'],
  [15.6 * 1024 ** 3, '16 GiB'],
  [1023.9 * 1024 ** 2, '1024 MiB'],
  [2 * 1024 ** 4, '2 TiB'],
  [1024 ** 6, '1024 PiB'],
])('%d is %s', (bytes, words) => expect(bytesInWords(bytes)).toBe(words))
