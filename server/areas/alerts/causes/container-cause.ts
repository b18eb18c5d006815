import type { Context } from '../../../context.ts'
import { formatBytes, formatBytesExact } from '../../../../contract/shared/bytes.ts'
import type { Docker } from '../../../remote/host.ts'
import { readEnvironmentVariables } from '../../containers/get-container.ts'
import { readExit, readLastLogLines } from '../../deployments/containers/container-failure.ts'
import { getServerHost } from '../../servers/server-host.ts'
import { addApplicationSecrets } from '../secret-mask.ts'
import type { CauseCollector } from './find-cause.ts'
import { findSubjectServer } from './server-cause.ts'
import { sql } from 'kysely'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Db } from '../../../tables.ts'
import { type ContainerInspection, findInspection } from '../../containers/docker-container.ts'
import type { Observation } from '../observer.ts'

export async function addContainerCause(
  ctx: Context,
  { alert, subject }: Observation,
  cause: CauseCollector,
  signal: AbortSignal,
): Promise<void> {
  const { workspace_id: workspaceId } = subject
  const server = await findSubjectServer(ctx, subject)
  if (!server) return
  cause.fact('Application', await addApplicationSecrets(ctx, ctx.db, subject, cause))
  const row = await findContainer(ctx.db, workspaceId, server.id, subject.id)
  cause.fact('Image', row?.image)
  cause.fact('Exit code', describeExitCode(row?.exit_code ?? null))
  if (row && alert.kind === 'container_cpu')
    cause.fact('CPU', row.cpu === null ? '' : `${row.cpu.toFixed(2)} cores`)
  if (row && /memory|oom/.test(alert.kind))
    cause.fact('Memory', describeMemory(row.memory_used, row.memory_limit))
  if (server.status !== 'ready') return
  const { docker } = getServerHost(ctx, server)
  const inspection = await findInspection(docker, subject.id, signal)
  if (!inspection) return
  await addContainerLog(docker, inspection, cause, signal)
  addState(inspection, cause)
  if (alert.kind === 'container_unhealthy')
    cause.fact('Health check', inspection.State.Health?.Log?.at(-1)?.Output)
  if (ended.includes(alert.kind)) await addEnding(docker, inspection, alert.kind, cause)
}

const ended: string[] = ['container_stopped', 'container_restarting', 'container_oom']

/** The limit per line exceeds what a message shows, because secrets must be masked before a line is truncated. */
const [lines, longest] = [10, 8_000]

/** Call after the secrets are collected, so that log lines can be masked. */
async function addContainerLog(
  docker: Docker,
  inspection: ContainerInspection,
  cause: CauseCollector,
  signal: AbortSignal,
): Promise<void> {
  cause.learn(readEnvironmentVariables(inspection))
  const container = { id: inspection.Id, tty: inspection.Config.Tty }
  cause.addLogLines(await readLastLogLines(docker, container, lines, signal, longest))
}

function addState({ State, RestartCount, HostConfig }: ContainerInspection, cause: CauseCollector): void {
  cause.fact('Error', State.Error)
  cause.fact('Restarts', RestartCount > 0 ? String(RestartCount) : '')
  cause.fact('Memory limit', HostConfig.Memory > 0 ? formatBytesExact(HostConfig.Memory) : '')
}

async function addEnding(
  docker: Docker,
  inspection: ContainerInspection,
  kind: string,
  cause: CauseCollector,
): Promise<void> {
  const { code, outOfMemory } = await readExit(docker, inspection)
  cause.fact('Exit code', describeExitCode(code))
  cause.fact('Out of memory', outOfMemory || kind === 'container_oom' ? 'Yes, killed by the kernel' : '')
}

const meanings: Record<number, string> = {
  126: 'the command is not executable',
  127: 'command not found',
  134: 'aborted',
  137: 'killed (SIGKILL)',
  139: 'segmentation fault',
  143: 'terminated (SIGTERM)',
}

function describeExitCode(code: number | null): string | null {
  if (code === null) return null
  const meaning = meanings[code]
  return meaning === undefined ? String(code) : `${code}: ${meaning}`
}

const describeMemory = (used: number | null, most: number | null) =>
  used === null ? null : `${formatBytes(used)}${most ? ` of ${formatBytes(most)}` : ''}`

export async function addCheckCause(
  ctx: Context,
  { alert, subject, reading }: Observation,
  cause: CauseCollector,
  signal: AbortSignal,
): Promise<void> {
  const { workspace_id: workspaceId, application_id: id } = subject
  if (id === null) return
  await addApplicationSecrets(ctx, ctx.db, subject, cause)
  const check = await findLatestCheck(ctx.db, workspaceId, alert.id, id)
  cause.fact('URL', check?.url ?? reading.url)
  cause.fact('Status', check?.status?.toString())
  cause.fact('Response time', inMs(check?.latency_ms))
  cause.fact('Expected', alert.http_check && expected(alert.http_check))
  const containers = await listLiveContainers(ctx.db, workspaceId, id)
  cause.fact(
    'Containers',
    containers.length === 0 ? 'No live containers' : containers.map(describeContainer).join(', '),
  )
  const server = await findSubjectServer(ctx, subject)
  const [worst] = containers
  if (!server || server.status !== 'ready' || !worst?.id) return
  const { docker } = getServerHost(ctx, server)
  const inspection = await findInspection(docker, worst.id, signal)
  if (inspection) await addContainerLog(docker, inspection, cause, signal)
}

const inMs = (latency: number | null | undefined) => (typeof latency === 'number' ? `${latency} ms` : '')

function expected({
  status,
  latency_ms: latency,
  contains,
}: NonNullable<Observation['alert']['http_check']>): string {
  const within = latency === null ? '' : ` within ${inMs(latency)}`
  return `${status}${within}${contains === '' ? '' : `, with the text “${contains}”`}`
}

type Serving = Awaited<ReturnType<typeof listLiveContainers>>[number]

function describeContainer({ name, state, health, exit_code: code }: Serving): string {
  if (name === null || state === null) return 'a removed container'
  if (state !== 'running') return `${name} ${state}${code === null ? '' : ` (${code})`}`
  return `${name} ${health === 'unhealthy' ? 'unhealthy' : 'running'}`
}

const findContainer = (db: Db, workspaceId: Id<'workspace'>, serverId: Id<'server'>, containerId: string) =>
  db
    .selectFrom('containers')
    .select(['image', 'exit_code', 'cpu', 'memory_used', 'memory_limit'])
    .where('workspace_id', '=', workspaceId)
    .where('server_id', '=', serverId)
    .where('id', '=', containerId)
    .executeTakeFirst()

/** Lists unhealthy containers first, because they most likely explain the incident. */
const listLiveContainers = (db: Db, workspaceId: Id<'workspace'>, applicationId: Id<'application'>) =>
  db
    .selectFrom('instances as i')
    .leftJoin('containers as c', (on) =>
      on
        .onRef('c.workspace_id', '=', 'i.workspace_id')
        .onRef('c.server_id', '=', 'i.server_id')
        .onRef('c.id', '=', 'i.container_id'),
    )
    .select(['c.id', 'c.name', 'c.state', 'c.health', 'c.exit_code'])
    .where('i.workspace_id', '=', workspaceId)
    .where('i.application_id', '=', applicationId)
    .where('i.state', '=', 'serving')
    .orderBy(sql`c.state = 'running' and coalesce(c.health, 'healthy') = 'healthy'`)
    .orderBy('c.name')
    .execute()

const findLatestCheck = (
  db: Db,
  workspaceId: Id<'workspace'>,
  alertId: Id<'alert'>,
  applicationId: Id<'application'>,
) =>
  db
    .selectFrom('checks')
    .select(['url', 'status', 'latency_ms', 'error'])
    .where('workspace_id', '=', workspaceId)
    .where('alert_id', '=', alertId)
    .where('application_id', '=', applicationId)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
