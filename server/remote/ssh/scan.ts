import { Client } from 'ssh2'
import { algorithmsFor, keyTypes } from './algorithms.ts'
import { failureOf, noAnswer, patience } from './failures.ts'
import { offeredKey } from './host-key.ts'

/** The host keys that a server shows, preferred first, without logging in: one handshake for each type. */
export async function scanHostKeys(address: string, port: number, signal?: AbortSignal): Promise<string[]> {
  const found = await Promise.allSettled(keyTypes.map((type) => keyOf(address, port, type, signal)))
  const keys = found.flatMap((one) =>
    one.status === 'fulfilled' && one.value !== undefined ? [one.value] : [],
  )
  const failed = found.find((one) => one.status === 'rejected')
  if (keys.length === 0 && failed) throw failed.reason
  return keys
}

function keyOf(
  address: string,
  port: number,
  type: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const client = new Client()
  const where = { port, user: '', answered: false }
  let limit: NodeJS.Timeout | undefined
  return new Promise<string | undefined>((resolve, reject) => {
    limit = setTimeout(() => reject(noAnswer(where)), patience * 1_000)
    const fail = (error: Error) => {
      if (error.message.includes('no matching host key')) resolve(undefined)
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
        algorithms: algorithmsFor([type]),
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
