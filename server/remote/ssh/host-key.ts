/** `ssh-ed25519 AAAA…` of a key as it comes over the wire, which begins with its type. */
export const formatHostKey = (key: Buffer): string =>
  `${key.subarray(4, 4 + key.readUInt32BE(0)).toString('latin1')} ${key.toString('base64')}`

export const hostKeyType = (hostKey: string): string => hostKey.split(' ', 1)[0] ?? ''
