import ssh2 from 'ssh2'
import { expect, test } from 'vitest'
import { newKeyPair } from './keys.ts'

test('every key pair can be used, and its halves belong together', () => {
  // One in 256 could not be: so many do without one of those by chance once in ten thousand times.
  for (let n = 0; n < 2_500; n++) {
    const { privateKey, publicKey } = newKeyPair('slipway-test')
    const key = ssh2.utils.parseKey(privateKey)
    if (key instanceof Error) throw key
    expect(publicKey).toContain(`ssh-ed25519 ${key.getPublicSSH().toString('base64')} slipway-test`)
    expect(key.verify('signed', key.sign('signed'))).toBe(true)
  }
}, 120_000)
