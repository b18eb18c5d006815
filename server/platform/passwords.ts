import { Algorithm, hash, verify } from '@node-rs/argon2'

const options = { algorithm: Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string) => hash(password, options)

// Somebody without a password, or nobody at all, costs the same time as a wrong password.
let nobody: Promise<string> | undefined

export async function checkPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  nobody ??= hashPassword('nobody has this password')
  const matches = await verify(stored ?? (await nobody), password)
  return matches && typeof stored === 'string'
}
