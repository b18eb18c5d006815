import type { Socket } from 'node:net'
import { Client } from 'ssh2'
import { algorithmsFor } from './algorithms.ts'
import { toConnectError, toSshError, noAnswerError, connectTimeoutSeconds } from './ssh-errors.ts'
import { formatHostKey } from './host-key.ts'
import { type MayConnect, openSocket } from './open-socket.ts'

interface Options {
  /** Asked of every IP address before it is connected to. */
  mayConnect: MayConnect
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
  { mayConnect, types = [], signal }: Options,
): Promise<string | undefined> {
  const client = new Client()
  const where = { port, user: '', answered: false }
  let limit: NodeJS.Timeout | undefined
  let socket: Socket | undefined
  let isGivenUp = false
  return new Promise<string | undefined>((resolve, reject) => {
    limit = setTimeout(() => reject(noAnswerError(where)), connectTimeoutSeconds * 1_000)
    const fail = (error: Error) => {
      if (types.length > 0 && error.message.includes('no matching host key')) resolve(undefined)
      else reject(toSshError(error, where))
    }
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
    client
      .on('connect', () => (where.answered = true))
      .on('error', fail)
      .on('close', () => fail(new Error('closed')))
    const start = (sock: Socket) => {
      socket = sock.on('error', () => {})
      if (isGivenUp) sock.destroy()
      else
        client.connect({
          sock,
          username: 'nobody',
          readyTimeout: 0,
          algorithms: algorithmsFor(types),
          hostVerifier: (key: Buffer) => {
            resolve(formatHostKey(key))
            return false
          },
        })
    }
    openSocket(address, port, mayConnect)
      .then(start)
      .catch((error: unknown) => reject(toConnectError(error, where)))
  }).finally(() => {
    isGivenUp = true
    clearTimeout(limit)
    client.destroy()
    socket?.destroy()
  })
}
