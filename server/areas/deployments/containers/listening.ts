import { command } from '../../../remote/command.ts'
import type { Host } from '../../../remote/host.ts'

interface ListeningPort {
  port: number
  isLoopbackOnly: boolean
}

/** Reads the kernel tables, which need no privileges; empty if not found. */
export async function readListening(host: Host, pid: number, signal: AbortSignal): Promise<ListeningPort[]> {
  const paths = ['tcp', 'tcp6'].map((name) => `/proc/${pid}/net/${name}`)
  return parseListening(
    (await host.run(command('cat', ...paths), { signal, maxBytes: maxTableBytes })).stdout,
  )
}

/** Large, because closed connections stay listed for a minute. */
const maxTableBytes = 16 * 1024 * 1024

/** The DNS resolver of Docker listens on its own loopback address. */
export function parseListening(tables: string): ListeningPort[] {
  const sockets = [...tables.matchAll(/^ *\d+: ([0-9A-F]+):([0-9A-F]{4}) \S+ 0A /gm)].map(
    ([, address = '', port = '']) => ({ port: Number.parseInt(port, 16), address }),
  )
  const own = sockets.filter(({ address }) => address !== dockerResolver)
  const ports = [...new Set(own.map(({ port }) => port))]
  return ports.map((port) => ({
    port,
    isLoopbackOnly: own.every((listener) => listener.port !== port || isLoopback(listener.address)),
  }))
}

/** 127.0.0.11 in kernel notation. */
const dockerResolver = '0B00007F'
const isLoopback = (address: string) =>
  /^.{6}7F$/.test(address) || address === '00000000000000000000000001000000'

export function listeningAdvice(listening: ListeningPort[], wanted: number): string | undefined {
  const here = listening.find(({ port }) => port === wanted)
  if (here?.isLoopbackOnly)
    return `The application listens on 127.0.0.1:${wanted} only. Make it listen on 0.0.0.0:${wanted}.`
  if (here) return undefined
  const others = listening.filter(({ isLoopbackOnly }) => !isLoopbackOnly).map(({ port }) => port)
  if (others.length === 0)
    return `Nothing listens on that port. Make sure the application listens on 0.0.0.0:${wanted}, or change the port.`
  const words = others.length === 1 ? `port ${others[0]}` : `ports ${others.join(', ')}`
  return `The application listens on ${words}, not on ${wanted}.`
}
