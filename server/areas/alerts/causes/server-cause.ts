import type { Context } from '../../../context.ts'
import { formatBytes } from '../../../../contract/shared/bytes.ts'
import { formatNames } from '../../../../contract/shared/format-list.ts'
import { command } from '../../../remote/command.ts'
import type { Host } from '../../../remote/host.ts'
import { getServerHost } from '../../servers/server-host.ts'
import { findServer, type ServerRow } from '../../servers/server.ts'
import { formatUtc } from '../incident-summary.ts'
import type { CauseCollector } from './find-cause.ts'
import { sql } from 'kysely'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Db } from '../../../tables.ts'
import type { Observation, Subject } from '../observer.ts'

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

/**
 * Reads /proc, because columns of `ps` differ between distributions, and only names, because arguments can contain
 * secrets.
 */
const memoryScript = `grep -sE '^(Name|VmRSS):' /proc/[0-9]*/status`
const seconds = 1
const cpuScript = `cat /proc/[0-9]*/stat 2>/dev/null; echo --; sleep ${seconds}; cat /proc/[0-9]*/stat 2>/dev/null`

/** Ticks per second in which Linux counts CPU time. */
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
    // A process that is missing from the first reading has started since, so all of its CPU time counts.
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

export const findSubjectServer = async (
  ctx: Context,
  { workspace_id: workspaceId, server_id: id }: Subject,
): Promise<ServerRow | undefined> => (id === null ? undefined : findServer(ctx, workspaceId, id))

export const findLatestSample = (db: Db, workspaceId: Id<'workspace'>, serverId: Id<'server'>) =>
  db
    .selectFrom('server_samples')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('server_id', '=', serverId)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()

const listTopContainers = (
  db: Db,
  workspaceId: Id<'workspace'>,
  serverId: Id<'server'>,
  by: 'cpu' | 'memory_used',
) =>
  db
    .selectFrom('containers')
    .select(['name', 'cpu', 'memory_used'])
    .where('workspace_id', '=', workspaceId)
    .where('server_id', '=', serverId)
    .where('state', '=', 'running')
    .where(by, '>', 0)
    .orderBy(by, 'desc')
    .limit(5)
    .execute()

async function listServerApplicationNames(db: Db, workspaceId: Id<'workspace'>, serverId: Id<'server'>) {
  const rows = await db
    .selectFrom('applications')
    .select('name')
    .where('workspace_id', '=', workspaceId)
    .where('server_id', '=', serverId)
    .where('deleting_at', 'is', null)
    .where('wanted', '=', 'running')
    .where('release_id', 'is not', null)
    .orderBy(sql`lower(name)`)
    .execute()
  return rows.map(({ name }) => name)
}
