import { execFile } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { bundle, removeBundle, temporaryFolder } from '../../test/support/programs/programs.ts'
import { createSecrets, readKeyFile } from './secrets.ts'

test('a key file is there whole or not at all: all who come at once get the same key', async () => {
  const folder = await temporaryFolder()
  const keys = await Promise.all(Array.from({ length: 20 }, () => readKeyFile(folder)))
  expect(new Set(keys.map((key) => key.toString('base64'))).size).toBe(1)
  expect(await readdir(folder)).toEqual(['secret.key'])
  expect((await readFile(join(folder, 'secret.key'), 'utf8')).trim()).toBe(keys[0]?.toString('base64'))
})

test('a process that ends while it writes its key leaves no empty file in the way of the next', async () => {
  const program = await bundle('server/platform/secrets.ts')
  onTestFinished(() => removeBundle(program))
  const folder = await temporaryFolder()
  const script = `import(process.argv[1]).then(({ readKeyFile }) => readKeyFile(process.argv[2]))`
  // A file may hold no byte at all: the first write ends it.
  const words = ['-c', 'ulimit -f 0; exec "$@"', 'sh', process.execPath, '-e', script, program, folder]
  await expect(promisify(execFile)('sh', words)).rejects.toThrow(/Command failed|EFBIG/)
  expect(await readdir(folder)).not.toContain('secret.key')
  expect(await readKeyFile(folder)).toHaveLength(32)
})

test('a key file that holds no key is not replaced', async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'secret.key'), '')
  await expect(readKeyFile(folder)).rejects.toThrow('does not hold a key of 32 bytes')
})

test('a mark tells the same value by the same key, and is another by another key', () => {
  const [one, other] = [createSecrets([Buffer.alloc(32, 1)]), createSecrets([Buffer.alloc(32, 2)])]
  expect(one.fingerprint('a')).toBe(one.fingerprint('a'))
  expect(one.fingerprint('a')).not.toBe(one.fingerprint('b'))
  expect(one.fingerprint('a')).not.toBe(other.fingerprint('a'))
})
