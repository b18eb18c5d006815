import { command } from '../../../remote/command.ts'
import type { Host } from '../../../remote/host.ts'

/** Where a process listens, among all that share its network. */
export interface Listening {
  port: number
  /** Only what is in the same container reaches it. */
  isInside: boolean
}

/** By the tables of the kernel, which everybody may read; nothing where they cannot be found. */
export const readListening = async (host: Host, pid: number, signal: AbortSignal): Promise<Listening[]> =>
  listeningIn(await readTables(host, pid, signal))

export async function readTables(host: Host, pid: number, signal?: AbortSignal): Promise<string> {
  const paths = ['tcp', 'tcp6'].map((name) => `/proc/${pid}/net/${name}`)
  return (await host.run(command('cat', ...paths), { signal, most: longest })).stdout
}

/** Bytes: what has ended a minute ago stands there, too. */
const longest = 16 * 1024 * 1024

/** Docker's own resolver of names listens on an address of its own, which is inside too. */
export function listeningIn(tables: string): Listening[] {
  const found = [...tables.matchAll(/^ *\d+: ([0-9A-F]+):([0-9A-F]{4}) \S+ 0A /gm)].map(
    ([, address = '', port = '']) => ({ port: Number.parseInt(port, 16), address }),
  )
  const own = found.filter(({ address }) => address !== resolver)
  const ports = [...new Set(own.map(({ port }) => port))]
  return ports.map((port) => ({
    port,
    isInside: own.every((one) => one.port !== port || isLoopback(one.address)),
  }))
}

/** 127.0.0.11, as the kernel writes it. */
const resolver = '0B00007F'
const isLoopback = (address: string) =>
  /^.{6}7F$/.test(address) || address === '00000000000000000000000001000000'

/** How many connections others have open to it at these addresses, of IPv4; with all of IPv6, but what comes from itself. */
export function countOpenAt(tables: string, addresses: string[]): number {
  const ports = new Set(listeningIn(tables).map(({ port }) => port))
  const own = new Set(addresses.map(asWritten))
  const open = [...tables.matchAll(/^ *\d+: ([0-9A-F]+):([0-9A-F]{4}) \S+ 0[13] /gm)]
  return open.filter(([, address = '', port = '']) => {
    if (!ports.has(Number.parseInt(port, 16))) return false
    const isV4 = address.length === 8 || address.startsWith(mapped)
    return isV4 ? own.has(address.slice(-8)) : !isLoopback(address)
  }).length
}

/** An address of IPv4 among those of IPv6. */
const mapped = '0000000000000000FFFF0000'

/** As the kernel writes an address of IPv4. */
const asWritten = (address: string) =>
  address
    .split('.')
    .toReversed()
    .map((byte) => Number(byte).toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase()

/** What somebody can do about it, as a sentence; nothing when nothing is known. */
export function adviceOn(listening: Listening[], wanted: number): string | undefined {
  const here = listening.find(({ port }) => port === wanted)
  if (here?.isInside)
    return `The app listens on 127.0.0.1:${wanted} only. Make it listen on 0.0.0.0:${wanted}.`
  if (here) return undefined
  const others = listening.filter(({ isInside }) => !isInside).map(({ port }) => port)
  if (others.length === 0)
    return `Nothing listens on that port. Make sure the app listens on 0.0.0.0:${wanted}, or change the port.`
  const words = others.length === 1 ? `port ${others[0]}` : `ports ${others.join(', ')}`
  return `The app listens on ${words}, not on ${wanted}.`
}
