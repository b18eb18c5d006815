import type { Socket } from 'node:net'
import { Client } from 'ssh2'
import { algorithmsFor } from './algorithms.ts'
import { toConnectError, toSshError, noAnswerError, connectTimeoutSeconds } from './ssh-errors.ts'
import { formatHostKey } from './host-key.ts'
import { type MayConnect, openSocket } from './open-socket.ts'

interface Options {
  /** Called for every IP address before connecting. */
  mayConnect: MayConnect
  /** Limits the key types; all strong types by default. */
  types?: readonly string[] | undefined
  signal?: AbortSignal | undefined
}

/**
 * Returns the most preferred host key, or undefined without one of the types. One handshake without login: sshd blocks
 * clients that open many.
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
