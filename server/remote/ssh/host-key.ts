/** Formats a wire-format key, which starts with its type, as `ssh-ed25519 AAAA…`. */
export const formatHostKey = (key: Buffer): string =>
  `${key.subarray(4, 4 + key.readUInt32BE(0)).toString('latin1')} ${key.toString('base64')}`

export const hostKeyType = (hostKey: string): string => hostKey.split(' ', 1)[0] ?? ''
