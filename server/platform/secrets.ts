import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hasErrorCode } from './postgres/files.ts'

/** Encryption at rest. A sealed value can be opened only for the row and column that it was sealed for. */
export interface Secrets {
  keyId: string
  hasKey(keyId: string): boolean
  seal(place: string, value: string): string
  open(place: string, sealed: string): string
  fingerprint(value: string): string
}

/**
 * Creates the encryption from its keys. The first key seals values; the others only open values that were sealed before
 * a rotation.
 */
export function createSecrets(keys: [Buffer, ...Buffer[]]): Secrets {
  const byId = new Map(keys.map((key) => [keyIdOf(key), key]))
  const [current] = keys
  const keyId = keyIdOf(current)
  return {
    keyId,
    hasKey: (id) => byId.has(id),
    seal(place, value) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', current, nonce).setAAD(Buffer.from(place))
      const sealed = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()])
      return [
        '1',
        keyId,
        ...[nonce, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url')),
      ].join('.')
    },
    open(place, sealed) {
      const [version, id = '', nonce = '', tag = '', body = ''] = sealed.split('.')
      const key = byId.get(id)
      if (version !== '1' || !key)
        throw new Error(`Cannot decrypt the secret at ${place}: key ${id} is missing.`)
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'))
        .setAAD(Buffer.from(place))
        .setAuthTag(Buffer.from(tag, 'base64url'))
      return Buffer.concat([decipher.update(body, 'base64url'), decipher.final()]).toString('utf8')
    },
    fingerprint: (value) => createHmac('sha256', current).update('slipway mark').update(value).digest('hex'),
  }
}

const keyIdOf = (key: Buffer) =>
  createHash('sha256').update('slipway key id').update(key).digest('hex').slice(0, 8)

export async function readKeyFile(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, 'secret.key')
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  if (!existsSync(path)) await createKeyFile(path)
  const key = Buffer.from((await readFile(path, 'utf8')).trim(), 'base64')
  if (key.length !== 32) throw new Error(`${path} does not hold a key of 32 bytes. Restore it from a backup.`)
  return key
}

/**
 * Creates the key file atomically and syncs it before use. If two processes create it at once, both use the first file.
 */
async function createKeyFile(path: string): Promise<void> {
  const draft = `${path}.${randomBytes(4).toString('hex')}`
  try {
    await writeFile(draft, `${randomBytes(32).toString('base64')}\n`, {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    })
    await link(draft, path)
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error
  } finally {
    await rm(draft, { force: true })
  }
  const folder = await open(dirname(path))
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
