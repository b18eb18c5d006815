import { counterIncrease, type InterfaceCounters, ratePerSecond } from './network-counters.ts'
import type { Sample } from './series.ts'
import { z } from 'zod'

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

export interface ContainerReading {
  at: number
  cpu: number
  cores: number
  memory: { used: number; limit: number }
  network: InterfaceCounters
  disk: { read: number; written: number }
}

const amount = z.number().nonnegative()
const none = amount.nullish().transform((value) => value ?? 0)

/** Some fields are missing without a network or on older kernels. */
const stats = z.object({
  read: z.iso.datetime({ offset: true }),
  cpu_stats: z.object({
    cpu_usage: z.object({ total_usage: amount }),
    online_cpus: z.int().min(1).max(10_000),
  }),
  memory_stats: z.object({
    usage: amount,
    limit: amount,
    stats: z.object({ inactive_file: none, total_inactive_file: none }).nullish(),
  }),
  networks: z.record(z.string(), z.object({ rx_bytes: amount, tx_bytes: amount })).nullish(),
  blkio_stats: z
    .object({
      io_service_bytes_recursive: z.array(z.object({ op: z.string(), value: amount })).nullish(),
    })
    .nullish(),
})

export function parseContainerStats(answer: unknown): ContainerReading | undefined {
  const { data } = stats.safeParse(answer)
  if (!data) return undefined
  const { memory_stats: memory, cpu_stats: cpu, networks, blkio_stats: blkio } = data
  const moved = (op: string) =>
    (blkio?.io_service_bytes_recursive ?? [])
      .filter((entry) => entry.op.toLowerCase() === op)
      .reduce((sum, { value }) => sum + value, 0)
  return {
    at: Date.parse(data.read),
    cpu: cpu.cpu_usage.total_usage / 1e9,
    cores: cpu.online_cpus,
    memory: { used: whole(memory.usage - droppable(memory)), limit: whole(memory.limit) },
    network: new Map(
      Object.entries(networks ?? {}).map(([name, counted]) => [
        name,
        { in: counted.rx_bytes, out: counted.tx_bytes },
      ]),
    ),
    disk: { read: moved('read'), written: moved('write') },
  }
}

/** Page cache that the kernel can reclaim; cgroup v1 includes that of child groups. */
function droppable({ usage, stats: kept }: z.infer<typeof stats>['memory_stats']): number {
  const files = kept?.total_inactive_file || kept?.inactive_file || 0
  return files < usage ? files : 0
}

/** Limits values to what the database stores, so that one server cannot fail the whole batch. */
const whole = (bytes: number) => Math.min(Number.MAX_SAFE_INTEGER, Math.round(bytes))
