import { z } from 'zod'
import type { InterfaceCounters } from './counters.ts'

/** What Docker said of a container at one moment, as it counts: totals since the container was started. */
export interface ContainerReading {
  /** In milliseconds, by the clock of the server. */
  at: number
  /** In seconds of one core. */
  cpu: number
  cores: number
  memory: { used: number; limit: number }
  network: InterfaceCounters
  disk: { read: number; written: number }
}

const amount = z.number().nonnegative()
const none = amount.nullish().transform((value) => value ?? 0)

/** The parts of Docker's answer that are used. Without a network, or on a kernel that does not count, some are missing. */
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

/** Undefined of a container that does not run, for which Docker answers with nothing in it. */
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

/** Files that the kernel keeps in memory until somebody needs the room: cgroup v1 tells them with those of the groups below. */
function droppable({ usage, stats: kept }: z.infer<typeof stats>['memory_stats']): number {
  const files = kept?.total_inactive_file || kept?.inactive_file || 0
  return files < usage ? files : 0
}

/** No more than the database holds: what one server says must not spoil what others do. */
const whole = (bytes: number) => Math.min(Number.MAX_SAFE_INTEGER, Math.round(bytes))
