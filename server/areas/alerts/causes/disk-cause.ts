import type { Context } from '../../../context.ts'
import { formatBytes } from '../../../../contract/shared/bytes.ts'
import type { Host } from '../../../remote/host.ts'
import { getServerHost } from '../../servers/server-host.ts'
import type { CauseCollector } from './find-cause.ts'
import { findLatestSample, findSubjectServer } from './server-cause.ts'
import type { Observation } from '../observer.ts'

interface DockerUsage {
  LayersSize: number
  Images: { Size: number; SharedSize: number; Containers: number }[] | null
  Containers: { Id: string; Names: string[] | null; SizeRw?: number }[] | null
  Volumes: { Name: string; UsageData?: { Size: number } | null }[] | null
  BuildCache: { Size: number; Shared: boolean }[] | null
}

interface NamedSize {
  name: string
  bytes: number
}

export async function addDiskCause(
  ctx: Context,
  { subject }: Observation,
  cause: CauseCollector,
  signal: AbortSignal,
): Promise<void> {
  const { workspace_id: workspaceId } = subject
  const server = await findSubjectServer(ctx, subject)
  if (!server) return
  const sample = await findLatestSample(ctx.db, workspaceId, server.id)
  if (sample) cause.fact('Disk', `${formatBytes(sample.disk_used)} of ${formatBytes(sample.disk_total)}`)
  if (server.status !== 'ready') return
  const host = getServerHost(ctx, server)
  const { docker } = host
  const containers = await docker.json<{ Id: string; Names: string[] | null }[]>({
    path: '/containers/json?all=1',
    signal,
  })
  const names = new Map(containers.map((container) => [container.Id, containerName(container)]))
  // Docker measures every file of its volumes, which may take longer than the time limit, so one result may be
  // missing.
  const [logs, used] = await Promise.allSettled([
    readLogSizes(host, names, signal).then((sizes) => cause.fact('Container logs', formatLargest(sizes))),
    docker.json<DockerUsage>({ path: '/system/df', signal }).then((answer) => addDockerUsage(answer, cause)),
  ])
  for (const part of [logs, used]) if (part.status === 'rejected') throw part.reason
}

const containerName = ({ Id: id, Names: names }: { Id: string; Names: string[] | null }) =>
  names?.[0]?.replace(/^\//, '') ?? id.slice(0, 12)

function addDockerUsage(used: DockerUsage, cause: CauseCollector): void {
  const unused = (used.Images ?? []).filter((image) => image.Containers === 0)
  const free = sum(unused.map((image) => image.Size - Math.max(0, image.SharedSize)))
  const spare = free > 0 ? `, ${formatBytes(free)} of it unused` : ''
  cause.fact('Images', `${formatBytes(used.LayersSize)}${spare}`)
  const volumes = (used.Volumes ?? []).map((volume) => ({
    name: volume.Name,
    bytes: volume.UsageData?.Size ?? 0,
  }))
  cause.fact('Volumes', formatLargest(volumes))
  const written = (used.Containers ?? []).map((container) => ({
    name: containerName(container),
    bytes: container.SizeRw ?? 0,
  }))
  cause.fact('Container file systems', formatLargest(written))
  const cache = sum((used.BuildCache ?? []).filter((entry) => !entry.Shared).map((one) => one.Size))
  cause.fact('Build cache', cache > 0 ? formatBytes(cache) : '')
}

function formatLargest(all: readonly NamedSize[]): string {
  const total = sum(all.map(({ bytes }) => bytes))
  const [largest] = all.toSorted((a, b) => b.bytes - a.bytes)
  if (!largest || total <= 0) return ''
  return `${formatBytes(total)}, the largest ${largest.name} (${formatBytes(largest.bytes)})`
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + Math.max(0, number), 0)

const logsScript = `stat -c '%s %n' "$1"/containers/*/*-json.log*`

async function readLogSizes(host: Host, names: ReadonlyMap<string, string>, signal: AbortSignal) {
  const { DockerRootDir: root } = await host.docker.json<{ DockerRootDir: string }>({ path: '/info', signal })
  const statLogs = { program: 'sh', args: ['-c', logsScript, 'sh', root], asRoot: true }
  const { stdout } = await host.run(statLogs, { signal })
  const sizes = new Map<string, number>()
  for (const line of stdout.split('\n')) {
    const [, bytes = '', id = ''] = /^(\d+) .*\/containers\/([0-9a-f]{64})\//.exec(line) ?? []
    if (id !== '') sizes.set(id, (sizes.get(id) ?? 0) + Number(bytes))
  }
  return [...sizes].map(([id, bytes]) => ({ name: names.get(id) ?? id.slice(0, 12), bytes }))
}
