import { Client } from 'ssh2'
import { algorithmsFor } from './algorithms.ts'
import { failureOf, noAnswer, patience } from './failures.ts'
import { offeredKey } from './host-key.ts'

interface Options {
  /** Only keys of these types are asked for; of all that are sound, unless told. */
  types?: readonly string[] | undefined
  signal?: AbortSignal | undefined
}

/**
 * The host key that a server shows, of the most preferred type that it has; undefined when it has none of the types
 * asked for. One handshake without logging in: sshd shuts out whoever comes with many of these.
 */
export function scanHostKey(
  address: string,
  port: number,
  { types = [], signal }: Options = {},
): Promise<string | undefined> {
  const client = new Client()
  const where = { port, user: '', answered: false }
  let limit: NodeJS.Timeout | undefined
  return new Promise<string | undefined>((resolve, reject) => {
    limit = setTimeout(() => reject(noAnswer(where)), patience * 1_000)
    const fail = (error: Error) => {
      if (types.length > 0 && error.message.includes('no matching host key')) resolve(undefined)
      else reject(failureOf(error, where))
    }
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
    client
      .on('connect', () => (where.answered = true))
      .on('error', fail)
      .on('close', () => fail(new Error('closed')))
      .connect({
        host: address,
        port,
        username: 'nobody',
        readyTimeout: 0,
        algorithms: algorithmsFor(types),
        hostVerifier: (key: Buffer) => {
          resolve(offeredKey(key))
          return false
        },
      })
  }).finally(() => {
    clearTimeout(limit)
    client.destroy()
  })
}
