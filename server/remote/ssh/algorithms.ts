import type { Algorithms, ServerHostKeyAlgorithm } from 'ssh2'

/** By host key type, preferred first. No SHA-1 signatures. */
const signatures: Record<string, ServerHostKeyAlgorithm[]> = {
  'ssh-ed25519': ['ssh-ed25519'],
  'ecdsa-sha2-nistp256': ['ecdsa-sha2-nistp256'],
  'ecdsa-sha2-nistp384': ['ecdsa-sha2-nistp384'],
  'ecdsa-sha2-nistp521': ['ecdsa-sha2-nistp521'],
  'ssh-rsa': ['rsa-sha2-512', 'rsa-sha2-256'],
}

const keyTypes: readonly string[] = Object.keys(signatures)

/** With `types`, only keys of these types are accepted. */
export function algorithmsFor(types: readonly string[]): Algorithms {
  const wanted = keyTypes.filter((type) => types.includes(type))
  return {
    kex: [
      'curve25519-sha256',
      'curve25519-sha256@libssh.org',
      'ecdh-sha2-nistp256',
      'ecdh-sha2-nistp384',
      'ecdh-sha2-nistp521',
      'diffie-hellman-group16-sha512',
      'diffie-hellman-group14-sha256',
      'diffie-hellman-group-exchange-sha256',
    ],
    cipher: [
      'aes128-gcm@openssh.com',
      'aes256-gcm@openssh.com',
      'chacha20-poly1305@openssh.com',
      'aes128-ctr',
      'aes192-ctr',
      'aes256-ctr',
    ],
    hmac: [
      'hmac-sha2-256-etm@openssh.com',
      'hmac-sha2-512-etm@openssh.com',
      'hmac-sha2-256',
      'hmac-sha2-512',
    ],
    compress: ['none'],
    serverHostKey: (wanted.length > 0 ? wanted : keyTypes).flatMap((type) => signatures[type] ?? []),
  }
}
