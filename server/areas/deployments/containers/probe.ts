import { request } from 'node:http'
import type { Duplex } from 'node:stream'
import { ConnectionLost, HostUnreachable } from '../../../remote/errors.ts'
import type { Host } from '../../../remote/host.ts'

export interface ProbeTarget {
  address: string
  port: number
  /** HTTP path; without it only the connection is checked. */
  path?: string | undefined
}

const probeTimeout = 5_000

/** Returns undefined if the port responds, otherwise the problem. */
export async function probePort(
  host: Host,
  { address, port, path }: ProbeTarget,
  signal: AbortSignal,
): Promise<string | undefined> {
  const limit = AbortSignal.timeout(probeTimeout)
  try {
    const socket = await orAborted(host.dial(address, port), AbortSignal.any([signal, limit]))
    if (path === undefined) {
      socket.destroy()
      return undefined
    }
    const status = await requestStatus(socket, path, AbortSignal.any([signal, limit]))
    return status >= 200 && status < 400 ? undefined : `GET ${path} on port ${port} returned ${status}`
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ConnectionLost || error instanceof HostUnreachable) throw error
    if (limit.aborted) return `no response on port ${port} within ${probeTimeout / 1_000} s`
    return connectionProblem(error, port)
  }
}

function connectionProblem(error: unknown, port: number): string {
  const said = error instanceof Error ? error.message : String(error)
  if (/administratively prohibited/i.test(said))
    return `sshd on the server does not allow TCP forwarding (AllowTcpForwarding)`
  if (/refused/i.test(said)) return `connection refused on port ${port}`
  return /hang up|reset/i.test(said)
    ? `connection closed without a response on port ${port}`
    : `could not connect to port ${port}: ${said}`
}

function requestStatus(socket: Duplex, path: string, signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request({
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
