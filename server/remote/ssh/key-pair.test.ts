import ssh2 from 'ssh2'
import { expect, test } from 'vitest'
import { times } from '../../../test/support/run/campaign.ts'
import { newKeyPair } from './key-pair.ts'

test('creates usable key pairs', () => {
  // One key in 256 was unusable: many runs make a miss unlikely.
  for (let n = 0; n < times(250, 2_500); n++) {
    const { privateKey, publicKey } = newKeyPair('slipway-test')
    const key = ssh2.utils.parseKey(privateKey)
    if (key instanceof Error) throw key
    expect(publicKey).toContain(`ssh-ed25519 ${key.getPublicSSH().toString('base64')} slipway-test`)
    expect(key.verify('signed', key.sign('signed'))).toBe(true)
  }
})
