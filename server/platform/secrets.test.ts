import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/programs.ts'
import { readKeyFile } from './secrets.ts'

test('a key file is there whole or not at all: all who come at once get the same key', async () => {
  const folder = await temporaryFolder()
  const keys = await Promise.all(Array.from({ length: 20 }, () => readKeyFile(folder)))
  expect(new Set(keys.map((key) => key.toString('base64'))).size).toBe(1)
  expect(await readdir(folder)).toEqual(['secret.key'])
  expect((await readFile(join(folder, 'secret.key'), 'utf8')).trim()).toBe(keys[0]?.toString('base64'))
})

test('a key file that holds no key is not replaced', async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'secret.key'), '')
  await expect(readKeyFile(folder)).rejects.toThrow('does not hold a key of 32 bytes')
})
