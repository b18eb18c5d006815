import { setTimeout as sleep } from 'node:timers/promises'
import type { Trx } from '../../../tables.ts'
import { type Instance, listInstances } from '../../applications/instance.ts'
import { type Attempt, writeAs } from '../attempt.ts'
import { bringBack } from '../hold.ts'
import { countOpen, isThrough, letGo, type Open } from '../letting-go.ts'
import { sayEnded, sayOpen } from '../say-ended.ts'
import { isWaitedFor } from '../store.ts'

/** Milliseconds between two looks at what is still open. */
const [shortestPause, longestPause] = [50, 1_000]

/** The old containers end once their open requests have. A newer deployment is not kept waiting for that. */
export async function drain(attempt: Attempt): Promise<void> {
  const { ctx, application, log, signal } = attempt
  let told = false
  for (let pause = shortestPause; ; pause = Math.min(pause * 1.5, longestPause)) {
    signal.throwIfAborted()
    const { left, open } = await endThrough(attempt, await listGoing(attempt))
    if (left.length === 0) return
    if (await isWaitedFor(ctx.db, application.workspace_id, application.id)) {
      log.say('Somebody waits for this to end, and goes on with what is still open.')
      return
    }
    if (!told) log.say(wordsOf(attempt, left, open))
    told = true
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

/** What an earlier deployment handed over, as far as it is through by now: so old containers do not become many. */
export async function drainEarlier(attempt: Attempt): Promise<void> {
  const { ctx, deployment } = attempt
  const all = await listInstances(ctx.db, deployment.workspace_id, deployment.application_id)
  await endThrough(
    attempt,
    all.filter(({ state }) => state === 'draining'),
  )
}

/** What made room for one that was cut off serves again before it is decided what is done with it. */
export async function bringBackEarlier(attempt: Attempt): Promise<void> {
  const { ctx, server, application, deployment } = attempt
  if (deployment.type === 'stop_application') return
  const all = await listInstances(ctx.db, deployment.workspace_id, deployment.application_id)
  const held = all.filter((one) => one.state === 'held' && one.drained_by !== deployment.id)
  if (held.length === 0) return
  await attempt.entered
  const given = { ctx, server, application, write: (work: Work) => writeAs(attempt, work) }
  // What was to take its place may have its name, its address or its files.
  const left = all.filter((one) => one.state === 'starting' && one.deployment_id !== deployment.id)
  await letGo(given, left)
  await bringBack(given, held)
}

type Work = (trx: Trx) => Promise<void>

/** Those on which nothing is open end; the others are left. */
async function endThrough(attempt: Attempt, going: Instance[]): Promise<{ left: Instance[]; open: Open }> {
  const { ctx, server, application } = attempt
  if (going.length === 0) return { left: [], open: new Map() }
  const open = await countOpen({ ctx, server, application }, going)
  const ready = going.filter((one) => isThrough(one, open, ctx.now()))
  if (ready.length > 0) await end(attempt, ready)
  return { left: going.filter((one) => !ready.includes(one)), open }
}

async function end(attempt: Attempt, instances: Instance[]): Promise<void> {
  const { ctx, server, application, log } = attempt
  await attempt.entered
  await letGo({ ctx, server, application, write: (work) => writeAs(attempt, work) }, instances)
  log.say(sayEnded(attempt.deployment, instances))
}

function wordsOf({ ctx, deployment }: Attempt, going: Instance[], open: Open): string {
  const count = going.reduce((sum, { id }) => sum + (open.get(id) ?? 0), 0)
  const until = Math.max(...going.map(({ drain_until }) => drain_until?.getTime() ?? 0))
  return sayOpen(deployment, count, Math.max(0, Math.ceil((until - ctx.now().getTime()) / 1_000)))
}
