import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { createLimiter, lazy } from './async.ts'

// Argon2id with the minimum parameters that OWASP recommends.
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Maximum number of hashes that wait for a thread. At about 30 ms each, the last one still finishes in time. */
export const maxQueuedHashes = 100

/** Default number of threads in the pool of libuv. */
const threadPool = 4
/**
 * Each hash occupies a thread of the pool and 19 MB. Files and name lookups need the pool too, and the event loop needs
 * a core, so a flood of logins must take neither all threads nor all cores.
 */
export const maxConcurrentHashes = Math.max(1, Math.min(threadPool - 1, availableParallelism() - 1))

export class PasswordsBusy extends Error {}

export interface Passwords {
  hash(password: string): Promise<string>
  check(stored: string | null | undefined, password: string): Promise<boolean>
}

export function createPasswords(): Passwords {
  const busy = () => new PasswordsBusy('Too many passwords are waiting to be hashed.')
  const limited = createLimiter(maxConcurrentHashes, maxQueuedHashes, busy)
  // A login without a password or without an account compares with this hash, so that it takes as long as a wrong
  // password.
  const placeholder = lazy(() => hash('nobody has this password', options))
  return {
    hash: (password) => limited(() => hash(password, options)),
    async check(stored, password) {
      const absent = placeholder()
      const known = stored ?? (await absent)
      const matches = await limited(() => verify(known, password))
      return matches && typeof stored === 'string'
    },
  }
}

/** The list is a large constant, so it is loaded at first use. */
let longOnes: Promise<Set<string>> | undefined

export async function isCommonPassword(password: string): Promise<boolean> {
  longOnes ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].filter((common) => common.length >= 10)),
  )
  return (await longOnes).has(password.toLowerCase())
}
