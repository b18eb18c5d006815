import { command } from '../../../remote/command.ts'
import type { Host } from '../../../remote/host.ts'

interface ListeningPort {
  port: number
  /** Reachable only within the container. */
  isLoopbackOnly: boolean
}

/** Reads the kernel tables, which need no privileges; empty if not found. */
export const readListening = async (host: Host, pid: number, signal: AbortSignal): Promise<ListeningPort[]> =>
  parseListening(await readSocketTables(host, pid, signal))

export async function readSocketTables(host: Host, pid: number, signal?: AbortSignal): Promise<string> {
  const paths = ['tcp', 'tcp6'].map((name) => `/proc/${pid}/net/${name}`)
  return (await host.run(command('cat', ...paths), { signal, maxBytes: maxTableBytes })).stdout
}

/** Large, because closed connections stay listed for a minute. */
const maxTableBytes = 16 * 1024 * 1024

/** The DNS resolver of Docker listens on its own loopback address. */
export function parseListening(tables: string): ListeningPort[] {
  const found = [...tables.matchAll(/^ *\d+: ([0-9A-F]+):([0-9A-F]{4}) \S+ 0A /gm)].map(
    ([, address = '', port = '']) => ({ port: Number.parseInt(port, 16), address }),
  )
  const own = found.filter(({ address }) => address !== dockerResolver)
  const ports = [...new Set(own.map(({ port }) => port))]
  return ports.map((port) => ({
    port,
    isLoopbackOnly: own.every((one) => one.port !== port || isLoopback(one.address)),
  }))
}

/** 127.0.0.11 in kernel notation. */
const dockerResolver = '0B00007F'
const isLoopback = (address: string) =>
  /^.{6}7F$/.test(address) || address === '00000000000000000000000001000000'

/** Counts connections to these IPv4 addresses, and all IPv6 connections except loopback. */
export function countConnections(tables: string, addresses: string[]): number {
  const ports = new Set(parseListening(tables).map(({ port }) => port))
  const own = new Set(addresses.map(toKernelHex))
  const open = [...tables.matchAll(/^ *\d+: ([0-9A-F]+):([0-9A-F]{4}) \S+ 0[13] /gm)]
  return open.filter(([, address = '', port = '']) => {
    if (!ports.has(Number.parseInt(port, 16))) return false
    const isV4 = address.length === 8 || address.startsWith(mappedPrefix)
    return isV4 ? own.has(address.slice(-8)) : !isLoopback(address)
  }).length
}

/** Prefix of IPv4-mapped IPv6 addresses. */
const mappedPrefix = '0000000000000000FFFF0000'

const toKernelHex = (address: string) =>
  address
    .split('.')
    .toReversed()
    .map((byte) => Number(byte).toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase()

export function listeningAdvice(listening: ListeningPort[], wanted: number): string | undefined {
  const here = listening.find(({ port }) => port === wanted)
  if (here?.isLoopbackOnly)
    return `The app listens on 127.0.0.1:${wanted} only. Make it listen on 0.0.0.0:${wanted}.`
  if (here) return undefined
  const others = listening.filter(({ isLoopbackOnly }) => !isLoopbackOnly).map(({ port }) => port)
  if (others.length === 0)
    return `Nothing listens on that port. Make sure the app listens on 0.0.0.0:${wanted}, or change the port.`
  const words = others.length === 1 ? `port ${others[0]}` : `ports ${others.join(', ')}`
  return `The app listens on ${words}, not on ${wanted}.`
}
