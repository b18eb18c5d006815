import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { underLock } from '../../platform/locks.ts'
import { RemoteError, TimedOut, FileMissing } from '../../remote/errors.ts'
import type { Host, Hosts } from '../../remote/host.ts'
import { apply, askProxy } from '../../remote/proxy/apply.ts'
import { ensureProxy } from '../../remote/proxy/container.ts'
import { look, lookOnce, NoProxy, putFiles } from '../../remote/proxy/files.ts'
import { type Plan, planOf, configName } from '../../remote/proxy/plan.ts'
import type { Routing } from '../../remote/proxy/routing.ts'
import type { Running } from '../../remote/proxy/running.ts'
import { ProxyRefused } from '../../remote/proxy/reload.ts'
import { ProxyAway } from '../../remote/proxy/talk.ts'
import { proveMachine } from '../servers/machine.ts'
import { hostOf } from '../servers/reach.ts'
import type { ServerRow } from '../servers/server.ts'
import { noted, type Taken } from './note-following.ts'
import { readRouting } from './read-routing.ts'
import { giveUp } from './served-certificates.ts'
import { isBeingSetUp } from './store.ts'
import { inFolder, portsIn } from '../../remote/proxy/config.ts'
import { listUsedPorts } from '../applications/entries/used-ports.ts'

/** Milliseconds that one server may take: all others on the machine wait for it. */
const LIMIT = 30_000

/** A server of which it is known which machine it is. */
type Known = ServerRow & { machine: string }

/** Those that have not begun: who comes before then is served by them as well. */
const waiting = new WeakMap<Hosts, Map<Id<'server'>, Promise<void>>>()

/**
 * Makes the proxy of the server's machine serve exactly what the rows say: domains, published ports, certificates,
 * and the instances that are `serving`, `held` or `draining`. Safe to do again; one at a time for a machine. Fails with a
 * `RemoteError`, whose message is a sentence.
 */
export async function syncProxy(ctx: Context, server: ServerRow, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  const queue = waiting.get(ctx.hosts) ?? new Map<Id<'server'>, Promise<void>>()
  waiting.set(ctx.hosts, queue)
  const mine =
    queue.get(server.id) ??
    noted(ctx, server, () => inTurn(ctx, server, () => queue.delete(server.id))).finally(() => {
      if (queue.get(server.id) === mine) queue.delete(server.id)
    })
  queue.set(server.id, mine)
  await mine
  signal?.throwIfAborted()
}

async function inTurn(ctx: Context, server: ServerRow, begun: () => void): Promise<Taken> {
  const { machine } = server
  if (machine === null) throw new NoProxy()
  // One that cannot be reached holds up nobody else.
  await hostOf(ctx, server).connect()
  return underLock(ctx.pool, `proxy:${machine}`, (held) => {
    begun()
    const limit = AbortSignal.timeout(LIMIT)
    return orAborted(sync(ctx, { ...server, machine }, AbortSignal.any([held, limit])), limit)
  })
}

/** What is still under way then looks at the signal before it does anything more. */
async function orAborted<T>(work: Promise<T>, limit: AbortSignal): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    const why = new TimedOut(`Updating the proxy timed out after ${LIMIT / 1_000} s.`)
    limit.addEventListener('abort', () => reject(why), { once: true })
  })
  return Promise.race([work, late])
}

async function sync(ctx: Context, server: Known, signal: AbortSignal): Promise<Taken> {
  const host = hostOf(ctx, server)
  const [routing, { ipv6, machine }, found] = await Promise.all([
    readRouting(ctx, server.machine),
    lookOnce(host, signal),
    findRunning(host),
  ])
  if (machine !== server.machine) await mustBeSame(ctx, server, host, signal)
  const { plan, taken } = await feasible(ctx, host, routing, ipv6, found)
  try {
    await apply(host, plan, found ?? (await startAgain(ctx, server, plan, signal)), signal)
    return taken
  } catch (error) {
    const refused =
      error instanceof ProxyRefused && routing.certificates.find((one) => one.host === error.host)
    if (!refused) throw error
    // One bad certificate must not hold up everybody else on the machine.
    giveUp(refused)
    return sync(ctx, server, signal)
  }
}

/** What others have on a machine is for that machine alone. */
async function mustBeSame(ctx: Context, server: Known, host: Host, signal: AbortSignal): Promise<void> {
  if ((await look(host, signal)).machine === server.machine) return
  if ((await proveMachine(ctx, server, host, signal)) === server.machine) return
  throw new RemoteError('This server is now a different machine. Try again.')
}

async function startAgain(ctx: Context, server: Known, plan: Plan, signal: AbortSignal): Promise<Running> {
  if (await isBeingSetUp(ctx.db, server.machine))
    throw new RemoteError('Setup of the server is in progress. Try again when it is done.')
  const host = hostOf(ctx, server)
  await putFiles(host, plan.files, signal)
  await ensureProxy(host, ctx.config.PROXY_IMAGE, signal)
  return askProxy(host)
}

/** Nothing when it does not run. */
async function findRunning(host: Host): Promise<Running | undefined> {
  try {
    return await askProxy(host)
  } catch (error) {
    if (error instanceof ProxyAway) return undefined
    throw error
  }
}

/** A port that another program has would keep the proxy from starting at all: it goes without that one. */
async function feasible(
  ctx: Context,
  host: Host,
  routing: Routing,
  ipv6: boolean,
  found: Running | undefined,
): Promise<{ plan: Plan; taken: Taken }> {
  const plan = planOf(routing, ipv6)
  if (found?.shape === plan.shape) return { plan, taken: new Map() }
  const { free, taken } = await withoutTaken(host, routing)
  if (taken.size === 0) return { plan, taken }
  for (const [port, by] of taken)
    ctx.log.warn({ server: host.target.id, port, by }, 'The proxy skips a port that is already in use.')
  return { plan: planOf(free, ipv6), taken }
}

/** The same without ports that another program has on the machine. Where the web cannot move, it stays where it is. */
async function withoutTaken(host: Host, routing: Routing) {
  const now = await portsNow(host)
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

/** Where the proxy listens, by the file that it was started with. */
async function portsNow(host: Host) {
  const text = await host.files.read(inFolder(configName)).catch((error: unknown) => {
    if (error instanceof FileMissing) return ''
    throw error
  })
  return portsIn(text.toString())
}
