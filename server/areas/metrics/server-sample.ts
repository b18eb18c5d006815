import { counterIncrease, ratePerSecond } from './counters.ts'
import type { ServerReading } from './server-reading.ts'
import type { Sample } from './series.ts'

/** Returns undefined across a restart or without elapsed time. */
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
