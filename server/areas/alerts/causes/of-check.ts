import type { Context } from '../../../context.ts'
import { findInspection } from '../../containers/inspect.ts'
import { hostOf } from '../../servers/reach.ts'
import type { About } from '../about.ts'
import { learnSecrets } from '../learn-secrets.ts'
import type { Gathering } from './gathering.ts'
import { hearContainer } from './of-container.ts'
import { serverOf } from './server-of.ts'
import { findCheck, listServing } from './store.ts'

/** What was called and what came, whether the containers behind it run, and what one of them said last. */
export async function ofCheck(
  ctx: Context,
  { alert, subject, reading }: About,
  gathering: Gathering,
  signal: AbortSignal,
): Promise<void> {
  const { workspace_id: workspaceId, application_id: id } = subject
  if (id === null) return
  await learnSecrets(ctx, ctx.db, subject, gathering)
  const check = await findCheck(ctx.db, workspaceId, alert.id, id)
  gathering.fact('URL', check?.url ?? reading.url)
  gathering.fact('Status', check?.status?.toString())
  gathering.fact('Response time', inMs(check?.latency_ms))
  gathering.fact('Expected', alert.asked && expected(alert.asked))
  const containers = await listServing(ctx.db, workspaceId, id)
  gathering.fact('Containers', containers.length === 0 ? 'None is live' : containers.map(inWords).join(', '))
  const server = await serverOf(ctx, subject)
  const [worst] = containers
  if (!server || server.status !== 'ready' || !worst?.id) return
  const { docker } = hostOf(ctx, server)
  const found = await findInspection(docker, worst.id, signal)
  if (found) await hearContainer(docker, found, gathering, signal)
}

const inMs = (latency: number | null | undefined) => (typeof latency === 'number' ? `${latency} ms` : '')

function expected({ status, latency_ms: latency, contains }: NonNullable<About['alert']['asked']>): string {
  const within = latency === null ? '' : ` within ${inMs(latency)}`
  return `${status}${within}${contains === '' ? '' : `, with the text “${contains}”`}`
}

type Serving = Awaited<ReturnType<typeof listServing>>[number]

function inWords({ name, state, health, exit_code: code }: Serving): string {
  if (name === null || state === null) return 'a removed container'
  if (state !== 'running') return `${name} ${state}${code === null ? '' : ` (${code})`}`
  return `${name} ${health === 'unhealthy' ? 'unhealthy' : 'running'}`
}
