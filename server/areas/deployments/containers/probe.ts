import { request } from 'node:http'
import type { Duplex } from 'node:stream'
import { Lost, Unreachable } from '../../../remote/errors.ts'
import type { Host } from '../../../remote/host.ts'

export interface Place {
  address: string
  port: number
  /** For HTTP; without it the connection alone is looked at. */
  path?: string | undefined
}

/** Milliseconds for one answer. */
const patience = 5_000

/** Undefined when it is well; else what was found, as it stands after "it". */
export async function probe(
  host: Host,
  { address, port, path }: Place,
  signal: AbortSignal,
): Promise<string | undefined> {
  const limit = AbortSignal.timeout(patience)
  try {
    const socket = await orAborted(host.dial(address, port), AbortSignal.any([signal, limit]))
    if (path === undefined) {
      socket.destroy()
      return undefined
    }
    const status = await statusOf(socket, path, AbortSignal.any([signal, limit]))
    return status >= 200 && status < 400 ? undefined : `GET ${path} on port ${port} returned ${status}`
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof Lost || error instanceof Unreachable) throw error
    if (limit.aborted) return `no response on port ${port} within ${patience / 1_000} s`
    return whyNot(error, port)
  }
}

function whyNot(error: unknown, port: number): string {
  const said = error instanceof Error ? error.message : String(error)
  if (/administratively prohibited/i.test(said))
    return `sshd on the server does not allow TCP forwarding (AllowTcpForwarding)`
  if (/refused/i.test(said)) return `connection refused on port ${port}`
  return /hang up|reset/i.test(said)
    ? `connection closed without a response on port ${port}`
    : `could not connect to port ${port}: ${said}`
}

function statusOf(socket: Duplex, path: string, signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request({
      // It is open already.
      createConnection: () => socket,
      path,
      headers: { host: 'localhost', 'user-agent': 'Slipway', connection: 'close' },
      signal,
    })
    asked.once('response', (reply) => {
      resolve(reply.statusCode ?? 0)
      socket.destroy()
    })
    asked.once('error', reject)
    asked.end()
  })
}

/** A connection that comes too late is closed. */
function orAborted(coming: Promise<Duplex>, signal: AbortSignal): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      reject(signal.reason)
      coming.then((socket) => socket.destroy()).catch(() => {})
    }
    if (signal.aborted) return leave()
    signal.addEventListener('abort', leave, { once: true })
    coming
      .then((socket) => resolve(socket.on('error', () => {})), reject)
      .finally(() => signal.removeEventListener('abort', leave))
  })
}
