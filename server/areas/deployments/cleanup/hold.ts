import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../../context.ts'
import { nudge } from '../../../events.ts'
import type { Docker } from '../../../remote/host.ts'
import type { Trx } from '../../../tables.ts'
import { type Instance, listInstances, updateInstance } from '../../applications/instance.ts'
import { inspect, nameOf } from '../../containers/inspect.ts'
import { findRelease } from '../../applications/release.ts'
import { syncProxy } from '../../proxies/proxy.ts'
import { hostOf } from '../../servers/reach.ts'
import { type Attempt, hostFor, releaseOf, writeAs } from '../run/attempt.ts'
import { renameContainer, startContainer, stopContainer, updateContainer } from '../containers/containers.ts'
import { countOpen } from './letting-go.ts'
import { hasEndedWell } from '../containers/has-completed.ts'
import { partOf } from '../containers/part.ts'
import { isRouted } from '../containers/routed.ts'
import type { Retiring } from './retire.ts'
import { restartPolicyOf } from '../containers/specification.ts'
import { inStopOrder } from './stop-order.ts'

/** Milliseconds between two looks at what is still open. */
const pause = 100

/**
 * What runs of a service makes room for what takes its place: it leaves the proxy, its open requests end, and it is
 * stopped. It is kept, so that it comes back when its successor fails. Safe to do again.
 */
export async function hold(attempt: Attempt, service: string): Promise<void> {
  const { docker } = hostFor(attempt)
  const held = await writeAs(attempt, (trx) => holdRows(attempt, trx, service))
  if (held.length === 0) return
  attempt.log.say(
    `Stopping the old ${service === '' ? 'container' : `container of ${service}`} before the new one starts`,
  )
  await followProxy(attempt, attempt.signal)
  await untilThrough(attempt, held)
  await Promise.all(
    held.map(async (one) => {
      const id = one.container_id
      if (!id) return
      await updateContainer(docker, id, { RestartPolicy: { Name: 'no' } })
      // Its name tells from then on whether it ran.
      await giveNameAway(docker, one)
      await stopContainer(docker, id)
    }),
  )
}

async function holdRows(attempt: Attempt, trx: Trx, service: string): Promise<Instance[]> {
  const { ctx, deployment } = attempt
  const { workspace_id, application_id, id } = deployment
  const drain_until = new Date(ctx.now().getTime() + releaseOf(attempt).config.drain_seconds * 1_000)
  const held: Instance[] = []
  for (const one of await listInstances(trx, workspace_id, application_id)) {
    if (one.service !== service || one.deployment_id === id) continue
    if (one.state === 'held' && one.drained_by === id) held.push(one)
    // Also what made room for an earlier one that was cut off, perhaps before it was stopped.
    if (one.state !== 'serving' && (one.state !== 'held' || one.drained_by === id)) continue
    const now = await updateInstance(trx, workspace_id, one.id, {
      state: 'held',
      drained_by: id,
      drain_until,
    })
    if (now) held.push(now)
  }
  await nudge(trx, workspace_id, 'application.changed', application_id)
  return held
}

async function untilThrough(attempt: Attempt, held: Instance[]): Promise<void> {
  const { ctx, server, application, signal } = attempt
  const until = Math.max(...held.map(({ drain_until }) => drain_until?.getTime() ?? 0))
  while (ctx.now().getTime() < until) {
    const open = await countOpen({ ctx, server, application }, held)
    if (held.every(({ id }) => (open.get(id) ?? 0) === 0)) return
    await sleep(pause, undefined, { signal })
  }
}

type Named = Pick<Instance, 'id' | 'container_id'>

/**
 * At the end of the name of one that gave its own away, by whether it ran then. With its id: nobody else is called so,
 * whatever the file names.
 */
const asides = ({ id }: Named) => ({ ran: `-held-${id}`, ended: `-ended-${id}` })

const asideIn = (name: string, one: Named) => Object.values(asides(one)).find((end) => name.endsWith(end))

/** The file may give a name of its own, which its successor needs. Safe to do again. */
export async function giveNameAway(docker: Docker, one: Named): Promise<void> {
  const found = one.container_id && (await inspect(docker, one.container_id))
  if (!found || asideIn(nameOf(found), one)) return
  const { ran, ended } = asides(one)
  await renameContainer(docker, found.Id, `${nameOf(found)}${hasEndedWell(found) ? ended : ran}`)
}

/** Once its successor is gone. Whether it had ended by itself before. */
export async function takeNameBack(docker: Docker, one: Named): Promise<boolean> {
  const found = one.container_id && (await inspect(docker, one.container_id))
  const aside = found && asideIn(nameOf(found), one)
  if (!aside) return false
  const isEnded = aside === asides(one).ended
  await renameContainer(docker, found.Id, nameOf(found).slice(0, -aside.length))
  return isEnded
}

/**
 * Those that made room serve again, as what was to take their place is gone. What another shares its network or processes
 * with runs before that. Safe to do again.
 */
export async function bringBack(given: Retiring, held: Instance[]): Promise<void> {
  if (held.length === 0) return
  const { ctx, application, server, write } = given
  const { docker } = hostOf(ctx, server)
  for (const together of (await inStopOrder(ctx, held)).toReversed())
    await Promise.all(together.map((one) => startAgain(ctx, docker, one)))
  await write(async (trx) => {
    for (const { workspace_id, id } of held)
      await updateInstance(trx, workspace_id, id, { state: 'serving', drained_by: null, drain_until: null })
    await nudge(trx, application.workspace_id, 'application.changed', application.id)
  })
  await followProxy(given)
}

async function startAgain({ db }: Context, docker: Docker, one: Instance): Promise<void> {
  const id = one.container_id
  if (!id) return
  // What prepares something does so once.
  if (await takeNameBack(docker, one)) return
  await startContainer(docker, id)
  const release = await findRelease(db, one.workspace_id, one.release_id)
  if (release) await updateContainer(docker, id, restartPolicyOf(partOf(release, one.service)))
}

async function followProxy(
  { ctx, application, server }: Pick<Retiring, 'ctx' | 'application' | 'server'>,
  signal?: AbortSignal,
): Promise<void> {
  if (await isRouted(ctx.db, application)) await syncProxy(ctx, server, signal)
}
