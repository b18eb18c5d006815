import { expect, test } from 'vitest'
import { bytesInWords } from './bytes.ts'

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1 KB'],
  [1.5 * 1024 ** 3, '1.5 GB'],
  [15.6 * 1024 ** 3, '16 GB'],
  [1023.9 * 1024 ** 2, '1024 MB'],
  [2 * 1024 ** 4, '2 TB'],
  [1024 ** 6, '1024 PB'],
])('%d is %s', (bytes, words) => expect(bytesInWords(bytes)).toBe(words))
