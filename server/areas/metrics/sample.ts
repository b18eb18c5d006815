import type { Tables } from '../../tables.ts'
import type { Reading } from './reading.ts'

/** What is kept of a moment. Rates and shares are over the time since the reading before. */
export type Sample = Omit<Tables['server_samples'], 'workspace_id' | 'server_id' | 'at'>

/** Undefined when the two do not belong together: the server was started anew between them, or no time went by. */
export function sampleOf(before: Reading, now: Reading): Sample | undefined {
  const seconds = now.uptime - before.uptime
  const ticks = now.cpu.total - before.cpu.total
  if (seconds <= 0 || ticks <= 0) return undefined
  const [load_1, load_5, load_15] = now.load
  return {
    // The kernel's count of idle time can go back a little.
    cpu: Math.min(1, Math.max(0, (now.cpu.busy - before.cpu.busy) / ticks)),
    memory_used: now.memory.used,
    memory_total: now.memory.total,
    disk_used: now.disk.used,
    disk_total: now.disk.total,
    network_in: rate(grown(before, now, 'in'), seconds),
    network_out: rate(grown(before, now, 'out'), seconds),
    load_1,
    load_5,
    load_15,
  }
}

const rate = (bytes: number, seconds: number) =>
  Math.min(Number.MAX_SAFE_INTEGER, Math.round(bytes / seconds))

/** Interface by interface: one that came brings its whole past along, one that was reset begins at nothing. */
function grown(before: Reading, now: Reading, way: 'in' | 'out'): number {
  let bytes = 0
  for (const [name, counters] of now.network) {
    const known = before.network.get(name)
    if (known) bytes += Math.max(0, counters[way] - known[way])
  }
  return bytes
}
