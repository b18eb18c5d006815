import type { ContainerReading } from './container-reading.ts'
import { counterIncrease, ratePerSecond } from './counters.ts'
import type { Sample } from './series.ts'

/** Returns undefined across a restart or without elapsed time. */
export function toContainerSample(
  before: ContainerReading,
  now: ContainerReading,
): Sample<'container'> | undefined {
  const seconds = (now.at - before.at) / 1_000
  const busy = now.cpu - before.cpu
  if (seconds <= 0 || busy < 0) return undefined
  return {
    // A clock change makes the elapsed time too short.
    cpu: Math.min(now.cores, busy / seconds),
    memory_used: now.memory.used,
    memory_limit: now.memory.limit,
    network_in: ratePerSecond(counterIncrease(before.network, now.network, 'in'), seconds),
    network_out: ratePerSecond(counterIncrease(before.network, now.network, 'out'), seconds),
    disk_read: ratePerSecond(Math.max(0, now.disk.read - before.disk.read), seconds),
    disk_written: ratePerSecond(Math.max(0, now.disk.written - before.disk.written), seconds),
  }
}
