import type { Context } from '../../../context.ts'
import { findInspection } from '../../containers/inspect.ts'
import { getServerHost } from '../../servers/server-host.ts'
import type { Observation } from '../observation.ts'
import { addApplicationSecrets } from '../application-secrets.ts'
import type { CauseCollector } from './cause-collector.ts'
import { addContainerLog } from './container-cause.ts'
import { findSubjectServer } from './find-subject-server.ts'
import { findLatestCheck, listLiveContainers } from './store.ts'

/**
 * Adds the request and its result, the state of the containers behind the domain, and the last log lines of one of
 * them.
 */
export async function addCheckCause(
  ctx: Context,
  { alert, subject, reading }: Observation,
  gathering: CauseCollector,
  signal: AbortSignal,
): Promise<void> {
  const { workspace_id: workspaceId, application_id: id } = subject
  if (id === null) return
  await addApplicationSecrets(ctx, ctx.db, subject, gathering)
  const check = await findLatestCheck(ctx.db, workspaceId, alert.id, id)
  gathering.fact('URL', check?.url ?? reading.url)
  gathering.fact('Status', check?.status?.toString())
  gathering.fact('Response time', inMs(check?.latency_ms))
  gathering.fact('Expected', alert.asked && expected(alert.asked))
  const containers = await listLiveContainers(ctx.db, workspaceId, id)
  gathering.fact(
    'Containers',
    containers.length === 0 ? 'None is live' : containers.map(describeContainer).join(', '),
  )
  const server = await findSubjectServer(ctx, subject)
  const [worst] = containers
  if (!server || server.status !== 'ready' || !worst?.id) return
  const { docker } = getServerHost(ctx, server)
  const found = await findInspection(docker, worst.id, signal)
  if (found) await addContainerLog(docker, found, gathering, signal)
}

const inMs = (latency: number | null | undefined) => (typeof latency === 'number' ? `${latency} ms` : '')

function expected({
  status,
  latency_ms: latency,
  contains,
}: NonNullable<Observation['alert']['asked']>): string {
  const within = latency === null ? '' : ` within ${inMs(latency)}`
  return `${status}${within}${contains === '' ? '' : `, with the text “${contains}”`}`
}

type Serving = Awaited<ReturnType<typeof listLiveContainers>>[number]

function describeContainer({ name, state, health, exit_code: code }: Serving): string {
  if (name === null || state === null) return 'a removed container'
  if (state !== 'running') return `${name} ${state}${code === null ? '' : ` (${code})`}`
  return `${name} ${health === 'unhealthy' ? 'unhealthy' : 'running'}`
}
