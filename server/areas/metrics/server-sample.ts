import { counterIncrease, type InterfaceCounters, ratePerSecond } from './network-counters.ts'
import type { Sample } from './series.ts'

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

/** user, nice, system, idle, iowait, irq, softirq, steal; guest time is part of user. */
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
