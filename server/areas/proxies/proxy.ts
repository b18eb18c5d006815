import { sql } from 'kysely'
import { formatList } from '../../../contract/shared/format-list.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { reloadProxy } from '../../remote/proxy/reload.ts'
import type { Db } from '../../tables.ts'
import { FileMissing, RemoteError, RemoteTimeout } from '../../remote/errors.ts'
import type { Host } from '../../remote/host.ts'
import {
  applyPlan,
  ProxyNotInstalled,
  ProxyRejected,
  readFolderCached,
  readProxyState,
  uploadFiles,
} from '../../remote/proxy/apply.ts'
import { ensureProxy } from '../../remote/proxy/container.ts'
import { configName, planProxy, type ProxyPlan, type Routing } from '../../remote/proxy/plan.ts'
import { type ProxyState, ProxyUnreachable } from '../../remote/proxy/runtime-api.ts'
import { getServerHost, toServerProblem } from '../servers/server-host.ts'
import type { ServerRow } from '../servers/server.ts'
import { readRouting, rejectCertificate } from './read-routing.ts'
import { configuredPorts, proxyPath } from '../../remote/proxy/config.ts'
import { listUsedPorts } from '../applications/entries/port-conflicts.ts'
import { Problem } from '../../errors.ts'
import { nudge } from '../../events.ts'

const LIMIT = 30_000

/** Idempotent; one sync per server at a time. Fails with a `RemoteError`. */
export async function syncProxy(ctx: Context, server: ServerRow, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  const { queuedProxySyncs: queue } = ctx
  const queued =
    queue.get(server.id) ??
    withProxyStatus(ctx, server, () => syncWithLock(ctx, server, () => queue.delete(server.id))).finally(
      () => {
        if (queue.get(server.id) === queued) queue.delete(server.id)
      },
    )
  queue.set(server.id, queued)
  await queued
  signal?.throwIfAborted()
}

async function syncWithLock(ctx: Context, server: ServerRow, begun: () => void): Promise<PortsInUse> {
  // Until setup has identified the machine, it may belong to another workspace.
  if (server.machine === null) throw new ProxyNotInstalled()
  // Connect first, so that an unreachable server does not hold the lock.
  await getServerHost(ctx, server).connect()
  return ctx.locks.withLock(`proxy:${server.id}`, (held) => {
    begun()
    const limit = AbortSignal.timeout(LIMIT)
    return withTimeout(sync(ctx, server, AbortSignal.any([held, limit])), limit)
  })
}

/** After a timeout the work goes on unobserved, so it must check the signal before each change. */
async function withTimeout<T>(work: Promise<T>, limit: AbortSignal): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    const reason = new RemoteTimeout(`Updating the proxy timed out after ${LIMIT / 1_000} s.`)
    limit.addEventListener('abort', () => reject(reason), { once: true })
  })
  return Promise.race([work, late])
}

async function sync(ctx: Context, server: ServerRow, signal: AbortSignal): Promise<PortsInUse> {
  const host = getServerHost(ctx, server)
  const [routing, { ipv6 }, running] = await Promise.all([
    readRouting(ctx, server),
    readFolderCached(host, signal),
    findRunning(host),
  ])
  const { plan, taken } = await planFeasible(ctx, host, routing, ipv6, running)
  try {
    const before = running ?? (await restartProxy(ctx, server, plan, signal))
    const current = before.shape === plan.shape ? before : await reloadProxy(host, plan, signal)
    await applyPlan(host, plan, current, signal)
    return taken
  } catch (error) {
    const refused =
      error instanceof ProxyRejected && routing.certificates.find(({ host }) => host === error.host)
    if (!refused) throw error
    // A bad certificate must not block all other routes.
    rejectCertificate(ctx, refused)
    return sync(ctx, server, signal)
  }
}

async function restartProxy(
  ctx: Context,
  server: ServerRow,
  plan: ProxyPlan,
  signal: AbortSignal,
): Promise<ProxyState> {
  if (await isBeingSetUp(ctx.db, server.id))
    throw new RemoteError('Setup of the server is in progress. Try again when it is done.')
  const host = getServerHost(ctx, server)
  await uploadFiles(host, plan.files, signal)
  await ensureProxy(host, ctx.config.PROXY_IMAGE, signal)
  return readProxyState(host)
}

async function findRunning(host: Host): Promise<ProxyState | undefined> {
  try {
    return await readProxyState(host)
  } catch (error) {
    if (error instanceof ProxyUnreachable) return undefined
    throw error
  }
}

/** A port in use would keep HAProxy from starting, so it is skipped. */
async function planFeasible(
  ctx: Context,
  host: Host,
  routing: Routing,
  ipv6: boolean,
  running: ProxyState | undefined,
): Promise<{ plan: ProxyPlan; taken: PortsInUse }> {
  const plan = planProxy(routing, ipv6)
  if (running?.shape === plan.shape) return { plan, taken: new Map() }
  const { free, taken } = await withoutTaken(host, routing)
  if (taken.size === 0) return { plan, taken }
  for (const [port, by] of taken)
    ctx.log.warn({ server: host.target.id, port, by }, 'Skipped a port of the proxy: it is already in use')
  return { plan: planProxy(free, ipv6), taken }
}

async function withoutTaken(host: Host, routing: Routing) {
  const now = await readConfiguredPorts(host)
  const web = [...routing.httpPorts, ...routing.httpsPorts].map((source) => ({ host: '', source }))
  const wanted = [...web, ...routing.applications.flatMap(({ ports }) => ports)]
  const taken = await listUsedPorts(host, wanted, { ours: now.all })
  const isFree = (port: number) => !taken.has(port)
  const orStay = (ports: readonly number[], before: readonly number[]) =>
    ports.every(isFree) ? ports : [...new Set([...ports.filter(isFree), ...before])]
  const free: Routing = {
    ...routing,
    httpPorts: orStay(routing.httpPorts, now.http),
    httpsPorts: orStay(routing.httpsPorts, now.https),
    applications: routing.applications.map((application) => ({
      ...application,
      ports: application.ports.filter(({ source }) => isFree(source)),
    })),
  }
  return { free, taken }
}

async function readConfiguredPorts(host: Host) {
  const text = await host.files.read(proxyPath(configName)).catch((error: unknown) => {
    if (error instanceof FileMissing) return ''
    throw error
  })
  return configuredPorts(text.toString())
}

/** Ports that the proxy skips, with the program that uses them, if known. */
type PortsInUse = ReadonlyMap<number, string | null>

async function withProxyStatus(
  ctx: Context,
  server: ServerRow,
  work: () => Promise<PortsInUse>,
): Promise<void> {
  try {
    const taken = await work()
    await saveProxyStatus(ctx, server, (ports) => portsInUseMessage(ports, taken))
  } catch (error) {
    const reason = proxyErrorMessage(server, error)
    if (reason !== undefined) await saveProxyStatus(ctx, server, () => reason)
    throw error
  }
}

/** Saving the status must not fail the sync. */
async function saveProxyStatus(
  { db, log }: Context,
  { id, workspace_id: workspaceId }: ServerRow,
  toError: (ports: number[]) => string | null,
) {
  try {
    const status = await findProxyStatus(db, id)
    const error = status ? toError(status.ports) : null
    if (!status || error === status.proxy_error) return
    await setProxyError(db, workspaceId, id, error)
    await nudge(db, workspaceId, 'application.changed', id)
  } catch (error) {
    log.warn({ server: id, reason: String(error) }, 'Failed to save the proxy status')
  }
}

function portsInUseMessage(ports: number[], taken: PortsInUse): string | null {
  const missing = ports.filter((port) => taken.has(port))
  if (missing.length === 0) return null
  const each = missing.map((port) => `port ${port} (used by ${taken.get(port) ?? 'another program'})`)
  return `The proxy cannot listen on ${formatList(each)}. Stop ${each.length === 1 ? 'that program or choose another port' : 'those programs or choose other ports'}. Slipway retries every minute.`
}

/** Returns undefined for internal errors, and for servers that were never set up. */
function proxyErrorMessage(server: ServerRow, error: unknown): string | undefined {
  if (error instanceof ProxyNotInstalled && server.status !== 'ready') return undefined
  if (error instanceof ProxyRejected)
    return `The proxy of ${server.name} rejected the new configuration. The previous one stays active, and Slipway retries. If this persists, run setup again.`
  const problem = toServerProblem(server, error)
  return problem instanceof Problem ? problem.message : undefined
}

/** Setup may replace the proxy, so a sync must not restart it meanwhile. */
export async function isBeingSetUp(db: Db, serverId: Id<'server'>): Promise<boolean> {
  const setup = await db
    .selectFrom('setups as u')
    .select('u.id')
    .where('u.server_id', '=', serverId)
    .where('u.status', 'in', ['queued', 'running'])
    .limit(1)
    .executeTakeFirst()
  return setup !== undefined
}

async function findProxyStatus(db: Db, serverId: Id<'server'>) {
  const { rows } = await sql<{ proxy_error: string | null; ports: number[] }>`
    select s.proxy_error, array[s.http_port, s.https_port] || array(
      select distinct p.source from published_ports p join applications a on a.id = p.application_id
      where a.server_id = s.id and a.deleting_at is null order by p.source) as ports
    from servers s where s.id = ${serverId}`.execute(db)
  return rows[0]
}

const setProxyError = (db: Db, workspaceId: Id<'workspace'>, id: Id<'server'>, proxy_error: string | null) =>
  db
    .updateTable('servers')
    .set({ proxy_error })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
