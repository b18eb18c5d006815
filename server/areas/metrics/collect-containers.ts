import { randomInt } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { Host } from '../../remote/host.ts'
import type { ServerRow } from '../servers/server.ts'
import {
  type ContainerMetrics,
  listRunningContainerIds,
  saveContainerMetrics,
} from '../containers/container-metrics.ts'
import { RemoteError } from '../../remote/errors.ts'
import type { Docker } from '../../remote/host.ts'
import { type Sample, counterIncrease, type InterfaceCounters, ratePerSecond } from './series.ts'
import { pause } from '../../platform/async.ts'
import { z } from 'zod'

const EVERY = 10_000
/** Older Docker engines answer once a second, so enough requests run concurrently without overloading the server. */
const MAX_CONCURRENT = 40

/** Samples CPU, memory, disk and network usage of containers until the connection is lost. */
export async function collectContainers(
  ctx: Context,
  server: ServerRow,
  host: Host,
  signal: AbortSignal,
): Promise<void> {
  const sampler = createContainerSampler(host.docker, signal)
  const writer = ctx.sampleWriters().containers
  const { workspace_id, id: server_id } = server
  // The random delay spreads the load of several servers, and gives the first list of containers time to arrive.
  await pause(randomInt(1_000, 4_000), signal)
  while (!signal.aborted) {
    const running = (await listRunningContainerIds(ctx.db, workspace_id, server_id))
      .map(({ id }) => id)
      .toSorted()
    sampler.keepOnly(running)
    const groups = toGroups(running)
    const latest: ContainerMetrics[] = []
    for (const group of groups) {
      const next = pause(EVERY / groups.length, signal)
      for (const { id, ...sample } of await sampler.sample(group)) {
        writer.add({ workspace_id, server_id, container_id: id, at: ctx.now(), ...sample })
        latest.push({ id, ...sample })
      }
      // Save once per round, because open lists reload after every save.
      if (group === groups.at(-1)) await saveContainerMetrics(ctx.db, workspace_id, server_id, latest)
      await next
    }
  }
  await writer.flush()
}

/** Returns at least one group, so that the loop also waits when there are no containers. */
const toGroups = (ids: string[]) =>
  Array.from({ length: Math.max(1, Math.ceil(ids.length / MAX_CONCURRENT)) }, (_, n) =>
    ids.slice(n * MAX_CONCURRENT, (n + 1) * MAX_CONCURRENT),
  )

/** Milliseconds between the first two readings, so that metrics are available early. */
const FIRST_INTERVAL = 1_000
const LIMIT = 5_000

interface ContainerSampler {
  sample(ids: readonly string[]): Promise<(Sample<'container'> & { id: string })[]>
  keepOnly(ids: readonly string[]): void
}

export function createContainerSampler(docker: Docker, signal: AbortSignal): ContainerSampler {
  const readings = new Map<string, ContainerReading>()

  async function sampleOne(id: string) {
    const before = readings.get(id) ?? (await readFirst(id))
    const now = before && (await read(id))
    if (now) readings.set(id, now)
    else readings.delete(id)
    const sample = before && now && toContainerSample(before, now)
    return sample ? [{ id, ...sample }] : []
  }

  async function readFirst(id: string) {
    const first = await read(id)
    if (first) await pause(FIRST_INTERVAL, signal)
    return first
  }

  async function read(id: string): Promise<ContainerReading | undefined> {
    const path = `/containers/${encodeURIComponent(id)}/stats?stream=false&one-shot=true`
    try {
      return parseContainerStats(await docker.json({ path, signal, timeout: LIMIT }))
    } catch (error) {
      if (signal.aborted || error instanceof RemoteError) return undefined
      throw error
    }
  }

  return {
    sample: async (ids) => (await Promise.all(ids.map(sampleOne))).flat(),
    keepOnly(ids) {
      const kept = new Set(ids)
      for (const id of readings.keys()) if (!kept.has(id)) readings.delete(id)
    },
  }
}

export function toContainerSample(
  before: ContainerReading,
  now: ContainerReading,
): Sample<'container'> | undefined {
  const seconds = (now.at - before.at) / 1_000
  const busy = now.cpu - before.cpu
  if (seconds <= 0 || busy < 0) return undefined
  return {
    // Limit the value, because a clock change can make the elapsed time too short.
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

/** Returns the page cache that the kernel can reclaim; cgroup v1 includes that of child groups. */
function droppable({ usage, stats: kept }: z.infer<typeof stats>['memory_stats']): number {
  const files = kept?.total_inactive_file || kept?.inactive_file || 0
  return files < usage ? files : 0
}

/** Limits values to what the database stores, so that one server cannot fail the whole batch. */
const whole = (bytes: number) => Math.min(Number.MAX_SAFE_INTEGER, Math.round(bytes))
