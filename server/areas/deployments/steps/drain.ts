import { setTimeout as sleep } from 'node:timers/promises'
import { type Instance, listInstances } from '../../applications/instance.ts'
import { type Attempt, writeAs } from '../run/attempt.ts'
import { bringBack } from '../cleanup/hold.ts'
import { countAllOpen, isOver, isThrough, letGo, type Open } from '../cleanup/letting-go.ts'
import { isCompose } from '../compose/model-for.ts'
import { leaveOldNetworks } from '../networks/move-networks.ts'
import type { Retiring } from '../cleanup/retire.ts'
import { sayEnded, sayOpen } from '../run/say-ended.ts'
import { isWaitedFor } from '../run/store.ts'
import { takeNames } from '../cleanup/take-names.ts'

/** Milliseconds between two looks at what is still open. */
const [shortestPause, longestPause] = [50, 1_000]

/** Milliseconds in which who found one by its name comes to it. */
const settlesIn = 1_000

/** The old containers end once their open requests have. A newer deployment is not kept waiting for that. */
export async function drain(attempt: Attempt): Promise<void> {
  await endOld(attempt)
  if (attempt.deployment.type !== 'stop_application') await leaveOldNetworks(attempt)
}

async function endOld(attempt: Attempt): Promise<void> {
  const { ctx, application, log, signal } = attempt
  let told = false
  /** Since when nobody finds them by their names. */
  const nameless = new Map<Instance['id'], number>()
  const isSettled = ({ id }: Instance) => Date.now() - (nameless.get(id) ?? 0) >= settlesIn
  for (let pause = shortestPause; ; pause = Math.min(pause * 1.5, longestPause)) {
    signal.throwIfAborted()
    const going = await listGoing(attempt)
    const unseen = going.filter(({ id }) => !nameless.has(id))
    const taken = await takeNames(retiringBy(attempt), unseen)
    for (const { id } of unseen) nameless.set(id, taken.has(id) ? Date.now() : 0)
    const { left, open } = await endThrough(attempt, going, isSettled)
    if (left.length === 0) return
    if (await isWaitedFor(ctx.db, application.workspace_id, application.id)) {
      log.say('A newer deployment is waiting; it finishes draining the old containers.')
      return
    }
    const isOpen = left.some(({ id }) => (open.get(id) ?? 0) > 0)
    if (isOpen && !told) log.say(wordsOf(attempt, left, open))
    told ||= isOpen
    await sleep(pause, undefined, { signal })
  }
}

/** Also what earlier deployments have left. What is stopped goes when something is started again. */
async function listGoing({ ctx, deployment }: Attempt): Promise<Instance[]> {
  const all = await listInstances(ctx.db, deployment.workspace_id, deployment.application_id)
  const left = deployment.type === 'stop_application' ? ['starting'] : ['starting', 'stopped']
  return all.filter(
    (one) => one.state === 'draining' || (one.deployment_id !== deployment.id && left.includes(one.state)),
  )
}

/**
 * What an earlier deployment handed over, as far as it is through by now: so old containers do not become many. What others
 * may still find by its name ends when this one is through, unless its time is over.
 */
export async function drainEarlier(attempt: Attempt): Promise<void> {
  const { ctx, deployment } = attempt
  const all = await listInstances(ctx.db, deployment.workspace_id, deployment.application_id)
  const draining = all.filter(({ state }) => state === 'draining')
  await endThrough(attempt, draining, () => !isCompose(attempt))
}

/** What made room for one that was cut off serves again before it is decided what is done with it. */
export async function bringBackEarlier(attempt: Attempt): Promise<void> {
  const { ctx, deployment } = attempt
  if (deployment.type === 'stop_application') return
  const all = await listInstances(ctx.db, deployment.workspace_id, deployment.application_id)
  const held = all.filter((one) => one.state === 'held' && one.drained_by !== deployment.id)
  if (held.length === 0) return
  await attempt.entered
  const given = retiringBy(attempt)
  // What was to take its place may have its name, its address or its files.
  const left = all.filter((one) => one.state === 'starting' && one.deployment_id !== deployment.id)
  await letGo(given, left)
  await bringBack(given, held)
}

const retiringBy = (attempt: Attempt): Retiring => {
  const { ctx, server, application } = attempt
  return { ctx, server, application, write: (work) => writeAs(attempt, work) }
}

/** Those on which nothing is open end; the others are left. */
async function endThrough(
  attempt: Attempt,
  going: Instance[],
  isSettled: (one: Instance) => boolean,
): Promise<{ left: Instance[]; open: Open }> {
  const { ctx, server, application } = attempt
  if (going.length === 0) return { left: [], open: new Map() }
  const open = await countAllOpen({ ctx, server, application }, going)
  const now = ctx.now()
  const ready = going.filter((one) => isOver(one, now) || (isThrough(one, open, now) && isSettled(one)))
  if (ready.length > 0) await end(attempt, ready)
  return { left: going.filter((one) => !ready.includes(one)), open }
}

async function end(attempt: Attempt, instances: Instance[]): Promise<void> {
  await attempt.entered
  await letGo(retiringBy(attempt), instances)
  attempt.log.say(sayEnded(attempt.deployment, instances))
}

function wordsOf({ ctx, deployment }: Attempt, going: Instance[], open: Open): string {
  const count = going.reduce((sum, { id }) => sum + (open.get(id) ?? 0), 0)
  const until = Math.max(...going.map(({ drain_until }) => drain_until?.getTime() ?? 0))
  return sayOpen(deployment, count, Math.max(0, Math.ceil((until - ctx.now().getTime()) / 1_000)))
}
