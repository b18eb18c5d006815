import { hash, verify } from '@node-rs/argon2'

// Argon2id, with what OWASP asks for at the least.
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string) => hash(password, options)

// Somebody without a password, or nobody at all, costs the same time as a wrong password.
let nobody: Promise<string> | undefined

export async function checkPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  nobody ??= hashPassword('nobody has this password')
  const matches = await verify(stored ?? (await nobody), password)
  return matches && typeof stored === 'string'
}
