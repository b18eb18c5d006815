import { randomInt } from 'node:crypto'
import type { Context } from '../../context.ts'
import { readScript } from '../../platform/read-script.ts'
import type { Host, RemoteProcess } from '../../remote/host.ts'
import type { ServerRow } from '../servers/server.ts'
import type { Watcher } from '../servers/watcher.ts'
import { collectTraffic } from './collect-traffic.ts'
import { type Sample, counterIncrease, type InterfaceCounters, ratePerSecond } from './series.ts'
import { command } from '../../remote/command.ts'
import { collectContainers } from './collect-containers.ts'

const collectScript = readScript('collect-metrics.sh')

export const collectorCommand = (pause: number) =>
  command('sh', '-c', collectScript, 'slipway-metrics', String(pause))

/** Far more than a block needs, against a server that sends endless data. */
const MAX_BYTES = 256 * 1024

export function createBlockParser(onBlock: (block: string) => void): (piece: Buffer) => void {
  let rest = ''
  return (piece) => {
    // The output is ASCII; other bytes must not fail.
    rest += piece.toString('latin1')
    for (let end = findBlockEnd(rest); end; end = findBlockEnd(rest)) {
      onBlock(rest.slice(0, end.at))
      rest = rest.slice(end.next)
    }
    if (rest.length > MAX_BYTES) throw new Error('The metrics output of the server is too large.')
  }
}

function findBlockEnd(text: string): { at: number; next: number } | undefined {
  if (text.startsWith('.\n')) return { at: 0, next: 2 }
  const index = text.indexOf('\n.\n')
  return index < 0 ? undefined : { at: index, next: index + 3 }
}

/** Restarts the collector after this long without output. */
const SILENCE = 60_000

async function collect(ctx: Context, server: ServerRow, host: Host, signal: AbortSignal): Promise<void> {
  const writer = ctx.sampleWriters().servers
  const running = await host.start(collectorCommand(randomInt(0, 10)), { signal })
  try {
    await follow(running, signal, (sample) =>
      // Use the clock of Slipway, because that of the server may be wrong.
      writer.add({ workspace_id: server.workspace_id, server_id: server.id, at: ctx.now(), ...sample }),
    )
  } finally {
    running.release()
    await writer.flush()
  }
}

export const watchers: Watcher[] = [
  { name: 'metrics', watch: collect },
  { name: 'container-metrics', watch: collectContainers },
  { name: 'traffic', watch: collectTraffic },
]

function follow(
  { stdout, stderr, ended }: RemoteProcess,
  signal: AbortSignal,
  onSample: (sample: Sample<'server'>) => void,
): Promise<void> {
  const read = createBlockParser(samples(onSample))
  let errorOutput = ''
  return new Promise<void>((resolve, reject) => {
    const fail = (error: unknown) => settle(() => reject(error))
    const stop = () => settle(resolve)
    const silence = setTimeout(() => fail(new Error('The server stopped sending metrics.')), SILENCE)
    const settle = (how: () => void) => {
      clearTimeout(silence)
      signal.removeEventListener('abort', stop)
      how()
    }
    stderr.on('data', (piece: Buffer) => (errorOutput = (errorOutput + piece.toString()).slice(-200)))
    stdout.on('data', (piece: Buffer) => {
      silence.refresh()
      try {
        read(piece)
      } catch (error) {
        fail(error)
      }
    })
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    ended.then(
      ({ code }) => fail(new Error(`The metrics collector exited with code ${code}. ${errorOutput}`.trim())),
      fail,
    )
  })
}

function samples(onSample: (sample: Sample<'server'>) => void): (block: string) => void {
  let before: ServerReading | undefined
  return (block) => {
    const now = parseServerReading(block)
    const sample = before && now && toServerSample(before, now)
    before = now
    if (sample) onSample(sample)
  }
}

export function toServerSample(before: ServerReading, now: ServerReading): Sample<'server'> | undefined {
  const seconds = now.uptime - before.uptime
  const ticks = now.cpu.total - before.cpu.total
  if (seconds <= 0 || ticks <= 0) return undefined
  const [load_1, load_5, load_15] = now.load
  return {
    // The kernel's idle counter can decrease slightly.
    cpu: Math.min(1, Math.max(0, (now.cpu.busy - before.cpu.busy) / ticks)),
    memory_used: now.memory.used,
    memory_total: now.memory.total,
    disk_used: now.disk.used,
    disk_total: now.disk.total,
    network_in: ratePerSecond(counterIncrease(before.network, now.network, 'in'), seconds),
    network_out: ratePerSecond(counterIncrease(before.network, now.network, 'out'), seconds),
    load_1,
    load_5,
    load_15,
  }
}

export interface ServerReading {
  uptime: number
  cpu: { busy: number; total: number }
  memory: { used: number; total: number }
  disk: { used: number; total: number }
  network: InterfaceCounters
  load: [number, number, number]
}

export function parseServerReading(block: string): ServerReading | undefined {
  const figures = new Map<string, string[]>()
  const network: InterfaceCounters = new Map()
  for (const line of block.split('\n')) {
    const [, name, counters] = interfaceLine.exec(line) ?? []
    if (name !== undefined && counters !== undefined) addInterface(network, name, counters)
    const [word, ...rest] = line.trim().split(/\s+/)
    if (word) figures.set(word, rest)
  }
  const uptime = amount(figures.get('uptime')?.[0])
  const cpu = readCpu(figures.get('cpu'))
  const memory = readMemory(figures)
  const load = readLoad(figures.get('load'))
  if (uptime === undefined || !cpu || !memory || !load) return undefined
  return { uptime, cpu, memory, disk: readDisk(figures.get('disk')), network, load }
}

/** /proc/net/dev has sixteen counters after the name; old kernels print no space before the first. */
const interfaceLine = /^\s*([^\s:]+):\s*((?:\d{1,20}\s+){15}\d{1,20})\s*$/

/** Bytes of these interfaces also pass through another one, or never leave the machine. */
const notCounted =
  /^(lo$|docker|veth|br-|virbr|bond|team|dummy|ifb|tun|tap|wg|vnet|cni|cali|flannel|vxlan)|[.@]/

function addInterface(network: InterfaceCounters, name: string, counters: string) {
  if (notCounted.test(name)) return
  const values = counters.split(/\s+/).map(Number)
  network.set(name, { in: values[0] ?? 0, out: values[8] ?? 0 })
}

/** The values are user, nice, system, idle, iowait, irq, softirq and steal; guest time is part of user. */
function readCpu(values: string[] | undefined): ServerReading['cpu'] | undefined {
  const ticks = (values ?? []).slice(0, 8).map(amount)
  if (ticks.length < 4 || ticks.some((tick) => tick === undefined)) return undefined
  const total = ticks.reduce<number>((sum, tick) => sum + (tick ?? 0), 0)
  return { busy: total - (ticks[3] ?? 0) - (ticks[4] ?? 0), total }
}

function readMemory(figures: Map<string, string[]>): ServerReading['memory'] | undefined {
  const bytes = (name: string) => kibibytes(figures.get(name)?.[0])
  const [total, available] = [bytes('MemTotal:'), bytes('MemAvailable:')]
  if (!total || available === undefined) return undefined
  return { used: Math.max(0, total - available), total }
}

function readDisk(fields: string[] | undefined): ServerReading['disk'] {
  const [total, used] = fields?.slice(-5, -3).map(kibibytes) ?? []
  return total === undefined || used === undefined ? { used: 0, total: 0 } : { used, total }
}

function readLoad(fields: string[] | undefined): ServerReading['load'] | undefined {
  const [one, five, fifteen] = (fields ?? []).slice(0, 3).map(amount)
  if (one === undefined || five === undefined || fifteen === undefined) return undefined
  return [one, five, fifteen]
}

/** Limits digits to what the database stores, so that one server cannot fail the whole batch. */
const amount = (word: string | undefined) =>
  word && /^\d{1,15}(\.\d{1,9})?$/.test(word) ? Number(word) : undefined

function kibibytes(word: string | undefined): number | undefined {
  const value = amount(word)
  return value === undefined ? undefined : value * 1024
}
