import type { Context } from '../../../context.ts'
import { formatBytes } from '../../../../contract/shared/bytes.ts'
import type { Host } from '../../../remote/host.ts'
import { getServerHost } from '../../servers/server-host.ts'
import type { Observation } from '../observation.ts'
import type { CauseCollector } from './cause-collector.ts'
import { findSubjectServer } from './find-subject-server.ts'
import { findLatestSample } from './store.ts'

interface Used {
  LayersSize: number
  Images: { Size: number; SharedSize: number; Containers: number }[] | null
  Containers: { Id: string; Names: string[] | null; SizeRw?: number }[] | null
  Volumes: { Name: string; UsageData?: { Size: number } | null }[] | null
  BuildCache: { Size: number; Shared: boolean }[] | null
}

interface Sized {
  name: string
  bytes: number
}

/** Adds how much disk space Docker uses, by type. */
export async function addDiskCause(
  ctx: Context,
  { subject }: Observation,
  gathering: CauseCollector,
  signal: AbortSignal,
): Promise<void> {
  const { workspace_id: workspaceId } = subject
  const server = await findSubjectServer(ctx, subject)
  if (!server) return
  const sample = await findLatestSample(ctx.db, workspaceId, server.id)
  if (sample) gathering.fact('Disk', `${formatBytes(sample.disk_used)} of ${formatBytes(sample.disk_total)}`)
  if (server.status !== 'ready') return
  const host = getServerHost(ctx, server)
  const { docker } = host
  const containers = await docker.json<{ Id: string; Names: string[] | null }[]>({
    path: '/containers/json?all=1',
    signal,
  })
  const names = new Map(containers.map((one) => [one.Id, nameOf(one)]))
  // Docker measures every file of its volumes, which may take longer than the time limit, so one result may be
  // missing.
  const [logs, used] = await Promise.allSettled([
    readLogSizes(host, names, signal).then((sizes) => gathering.fact('Container logs', formatLargest(sizes))),
    docker.json<Used>({ path: '/system/df', signal }).then((answer) => addUsed(answer, gathering)),
  ])
  for (const part of [logs, used]) if (part.status === 'rejected') throw part.reason
}

const nameOf = ({ Id: id, Names: names }: { Id: string; Names: string[] | null }) =>
  names?.[0]?.replace(/^\//, '') ?? id.slice(0, 12)

function addUsed(used: Used, gathering: CauseCollector): void {
  const unused = (used.Images ?? []).filter((image) => image.Containers === 0)
  const free = sum(unused.map((image) => image.Size - Math.max(0, image.SharedSize)))
  const spare = free > 0 ? `, ${formatBytes(free)} of it unused` : ''
  gathering.fact('Images', `${formatBytes(used.LayersSize)}${spare}`)
  const volumes = (used.Volumes ?? []).map((one) => ({ name: one.Name, bytes: one.UsageData?.Size ?? 0 }))
  gathering.fact('Volumes', formatLargest(volumes))
  const written = (used.Containers ?? []).map((one) => ({ name: nameOf(one), bytes: one.SizeRw ?? 0 }))
  gathering.fact('Container file systems', formatLargest(written))
  const cache = sum((used.BuildCache ?? []).filter((one) => !one.Shared).map((one) => one.Size))
  gathering.fact('Build cache', cache > 0 ? formatBytes(cache) : '')
}

/** Returns for example `8 GiB, most of it in shop-web-1 (7.5 GiB)`, or an empty string. */
function formatLargest(all: readonly Sized[]): string {
  const total = sum(all.map(({ bytes }) => bytes))
  const [largest] = all.toSorted((one, other) => other.bytes - one.bytes)
  if (!largest || total <= 0) return ''
  return `${formatBytes(total)}, the largest ${largest.name} (${formatBytes(largest.bytes)})`
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + Math.max(0, one), 0)

const logsScript = `stat -c '%s %n' "$1"/containers/*/*-json.log*`

async function readLogSizes(host: Host, names: ReadonlyMap<string, string>, signal: AbortSignal) {
  const { DockerRootDir: root } = await host.docker.json<{ DockerRootDir: string }>({ path: '/info', signal })
  const asked = { program: 'sh', args: ['-c', logsScript, 'sh', root], asRoot: true }
  const { stdout } = await host.run(asked, { signal })
  const sizes = new Map<string, number>()
  for (const line of stdout.split('\n')) {
    const [, bytes = '', id = ''] = /^(\d+) .*\/containers\/([0-9a-f]{64})\//.exec(line) ?? []
    if (id !== '') sizes.set(id, (sizes.get(id) ?? 0) + Number(bytes))
  }
  return [...sizes].map(([id, bytes]) => ({ name: names.get(id) ?? id.slice(0, 12), bytes }))
}
