import { execFile } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { bundle, removeBundle, temporaryFolder } from '../../test/support/programs/programs.ts'
import { createSecrets, readKeyFile } from './secrets.ts'

test('creates the key file atomically for concurrent processes', async () => {
  const folder = await temporaryFolder()
  const keys = await Promise.all(Array.from({ length: 20 }, () => readKeyFile(folder)))
  expect(new Set(keys.map((key) => key.toString('base64'))).size).toBe(1)
  expect(await readdir(folder)).toEqual(['secret.key'])
  expect((await readFile(join(folder, 'secret.key'), 'utf8')).trim()).toBe(keys[0]?.toString('base64'))
})

test('leaves no empty key file when the process dies', async () => {
  const program = await bundle('server/platform/secrets.ts')
  onTestFinished(() => removeBundle(program))
  const folder = await temporaryFolder()
  const script = `import(process.argv[1]).then(({ readKeyFile }) => readKeyFile(process.argv[2]))`
  // A file size limit of 0 makes the first write kill the process.
  const words = ['-c', 'ulimit -f 0; exec "$@"', 'sh', process.execPath, '-e', script, program, folder]
  await expect(promisify(execFile)('sh', words)).rejects.toThrow(/Command failed|EFBIG/)
  expect(await readdir(folder)).not.toContain('secret.key')
  expect(await readKeyFile(folder)).toHaveLength(32)
})

test('does not replace an invalid key file', async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'secret.key'), '')
  await expect(readKeyFile(folder)).rejects.toThrow('does not hold a key of 32 bytes')
})

test('derives a fingerprint per value and key', () => {
  const [one, other] = [createSecrets([Buffer.alloc(32, 1)]), createSecrets([Buffer.alloc(32, 2)])]
  expect(one.fingerprint('a')).toBe(one.fingerprint('a'))
  expect(one.fingerprint('a')).not.toBe(one.fingerprint('b'))
  expect(one.fingerprint('a')).not.toBe(other.fingerprint('a'))
})
