import type { Context } from '../../../context.ts'
import { formatBytes } from '../../../../contract/shared/bytes.ts'
import { formatNames } from '../../../../contract/shared/format-list.ts'
import { command } from '../../../remote/command.ts'
import type { Host } from '../../../remote/host.ts'
import { getServerHost } from '../../servers/server-host.ts'
import { findServer, type ServerRow } from '../../servers/server.ts'
import { formatUtc } from '../incident-summary.ts'
import type { Observation, Subject } from '../observation.ts'
import type { CauseCollector } from './find-cause.ts'
import { findLatestSample, listServerApplicationNames, listTopContainers } from './store.ts'

export async function addUnreachableCause(
  ctx: Context,
  { subject, reading }: Observation,
  cause: CauseCollector,
) {
  const { workspace_id: workspaceId } = subject
  const server = await findSubjectServer(ctx, subject)
  if (!server) return
  cause.fact('Reason', server.reason ?? reading.detail)
  cause.fact('Last seen', server.last_seen_at && formatUtc(server.last_seen_at))
  const names = await listServerApplicationNames(ctx.db, workspaceId, server.id)
  cause.fact('Applications', formatNames(names, 8))
}

export async function addLoadCause(
  ctx: Context,
  { alert, subject }: Observation,
  cause: CauseCollector,
  signal: AbortSignal,
): Promise<void> {
  const { workspace_id: workspaceId } = subject
  const server = await findSubjectServer(ctx, subject)
  if (!server) return
  const sample = await findLatestSample(ctx.db, workspaceId, server.id)
  if (sample && alert.kind === 'memory')
    cause.fact('Memory', `${formatBytes(sample.memory_used)} of ${formatBytes(sample.memory_total)}`)
  else if (sample) {
    const loads = [sample.load_1, sample.load_5, sample.load_15].map((load) => load.toFixed(2)).join(', ')
    cause.fact('Load', `${loads}${server.cpus === null ? '' : ` on ${server.cpus} cores`}`)
  }
  const by = alert.kind === 'memory' ? 'memory_used' : 'cpu'
  const containers = await listTopContainers(ctx.db, workspaceId, server.id, by)
  const format = by === 'cpu' ? formatCpuUsers : formatMemoryUsers
  cause.fact(
    'Containers',
    format(containers.map((container) => ({ name: container.name, usage: container[by] ?? 0 }))),
  )
  if (server.status === 'ready') await addProcesses(getServerHost(ctx, server), by, cause, signal)
}

async function addProcesses(
  host: Host,
  by: 'cpu' | 'memory_used',
  cause: CauseCollector,
  signal: AbortSignal,
): Promise<void> {
  if (by === 'memory_used') {
    cause.fact('Processes', formatMemoryUsers(await topMemoryProcesses(host, signal)))
    return
  }
  const { busiest, waiting } = await topCpuProcesses(host, signal)
  cause.fact('Processes', formatCpuUsers(busiest))
  cause.fact('Waiting for disk I/O', waiting.slice(0, 5).join(', '))
}

const formatMemoryUsers = (all: readonly ProcessUsage[]) =>
  all.map(({ name, usage }) => `${name} ${formatBytes(usage)}`).join(', ')

const formatCpuUsers = (all: readonly ProcessUsage[]) =>
  all
    .map(({ name, usage }) => ({ name, percent: Math.round(usage * 100) }))
    .filter(({ percent }) => percent > 0)
    .map(({ name, percent }) => `${name} ${percent} %`)
    .join(', ')

interface ProcessUsage {
  name: string
  usage: number
}

/** Columns of `ps` differ between distributions. Reads names only, because arguments can contain secrets. */
const memoryScript = `grep -sE '^(Name|VmRSS):' /proc/[0-9]*/status`
const seconds = 1
const cpuScript = `cat /proc/[0-9]*/stat 2>/dev/null; echo --; sleep ${seconds}; cat /proc/[0-9]*/stat 2>/dev/null`

/** Linux counts CPU time in ticks of 1/100 s. */
const ticks = 100

async function topMemoryProcesses(host: Host, signal: AbortSignal): Promise<ProcessUsage[]> {
  const text = await readOutput(host, memoryScript, signal)
  const processes: ProcessUsage[] = []
  let name = ''
  for (const line of text.split('\n')) {
    const [, field = '', value = ''] = /^\/proc\/\d+\/status:(\w+):\s*(.*)$/.exec(line) ?? []
    if (field === 'Name') name = value
    if (field === 'VmRSS') processes.push({ name, usage: Number.parseInt(value, 10) * 1_024 })
  }
  return sumByName(processes)
}

async function topCpuProcesses(host: Host, signal: AbortSignal) {
  const text = await readOutput(host, cpuScript, signal)
  const [before = '', after = ''] = text.split('\n--\n')
  const first = new Map(before.split('\n').flatMap(readStat))
  const processes = after.split('\n').flatMap(readStat)
  const busiest = processes.map(([id, { name, used }]) => ({
    name,
    // A process that started in between used all of its CPU time since.
    usage: Math.max(0, used - (first.get(id)?.used ?? 0)) / ticks / seconds,
  }))
  const waiting = processes.filter(([, { state }]) => state === 'D').map(([, { name }]) => name)
  return { busiest: sumByName(busiest), waiting: [...new Set(waiting)] }
}

/** The process name can contain brackets, so fields start after the last one. */
function readStat(line: string): [string, { name: string; state: string; used: number }][] {
  const [, id = '', name = '', rest = ''] = /^(\d+) \((.*)\) (.*)$/.exec(line) ?? []
  const fields = rest.split(' ')
  const used = Number(fields[11]) + Number(fields[12])
  return id === '' || Number.isNaN(used) ? [] : [[id, { name, state: fields[0] ?? '', used }]]
}

function sumByName(all: readonly ProcessUsage[]): ProcessUsage[] {
  const sums = new Map<string, number>()
  for (const { name, usage } of all) sums.set(name, (sums.get(name) ?? 0) + usage)
  return [...sums]
    .map(([name, usage]) => ({ name, usage }))
    .filter(({ usage }) => usage > 0)
    .toSorted((a, b) => b.usage - a.usage)
    .slice(0, 5)
}

async function readOutput(host: Host, script: string, signal: AbortSignal): Promise<string> {
  const { stdout } = await host.run(command('sh', '-c', script), { signal, maxBytes: 4 * 1024 ** 2 })
  return stdout
}

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
  const cache = sum((used.BuildCache ?? []).filter((one) => !one.Shared).map((one) => one.Size))
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

export const findSubjectServer = async (
  ctx: Context,
  { workspace_id: workspaceId, server_id: id }: Subject,
): Promise<ServerRow | undefined> => (id === null ? undefined : findServer(ctx, workspaceId, id))
