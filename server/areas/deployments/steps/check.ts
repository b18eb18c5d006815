import { listUsedPorts } from '../../applications/entries/used-ports.ts'
import { askAhead } from '../source/ask-ahead.ts'
import { type Attempt, Failed, hostFor } from '../run/attempt.ts'
import { checkBuilder } from '../source/check-builder.ts'
import { checkHostAccess } from './check-host-access.ts'
import { checkCompose } from '../compose/check-compose.ts'
import { checkRoom } from './check-room.ts'
import { whyOf } from '../cleanup/give-up.ts'
import { isAway } from '../run/hold-out.ts'
import { isCompose } from '../compose/model-for.ts'
import { whyTaken } from '../compose/port-problems.ts'
import { isRouted, listPublished } from '../containers/routed.ts'
import { clearEarlier, isRepository } from '../source/source-work.ts'
import { untilSetUp } from './until-set-up.ts'
import { whyNoProxy } from '../containers/why-no-proxy.ts'
import { bringBackEarlier, drainEarlier } from './drain.ts'

/** All that can be said before anything is begun. */
export async function check(attempt: Attempt): Promise<void> {
  await untilSetUp(attempt)
  if (isRepository(attempt)) askAhead(attempt)
  await Promise.all([
    checkDocker(attempt),
    // Without room Compose fails as well, and tells less of it.
    checkRoom(attempt).then(() => checkCompose(attempt)),
    checkProxy(attempt),
    checkPorts(attempt),
    checkBuilder(attempt),
    checkHostAccess(attempt),
    endEarlier(attempt),
  ])
}

/** Nobody's new release fails for what an old one has left. */
async function endEarlier(attempt: Attempt): Promise<void> {
  try {
    await drainEarlier(attempt)
    await bringBackEarlier(attempt)
    if (isRepository(attempt)) await clearEarlier(attempt, attempt.deployment.id)
  } catch (error) {
    attempt.signal.throwIfAborted()
    const why = whyOf(attempt, error)
    if (!why || isAway(error)) throw error
    attempt.log.say(`${why} Slipway cleans up after the earlier deployment later.`)
  }
}

const checkDocker = (attempt: Attempt) =>
  hostFor(attempt).docker.json({ method: 'HEAD', path: '/_ping', signal: attempt.signal, timeout: 10_000 })

/** For a compose file all that it wants is looked at in one place. */
async function checkProxy(attempt: Attempt): Promise<void> {
  const { ctx, application, signal } = attempt
  if (isCompose(attempt) || !(await isRouted(ctx.db, application))) return
  const why = await whyNoProxy(attempt, signal)
  if (why !== undefined) throw new Failed(why)
}

async function checkPorts(attempt: Attempt): Promise<void> {
  const { ctx, server, application, signal } = attempt
  const ports = isCompose(attempt) ? [] : await listPublished(ctx.db, application)
  if (ports.length === 0) return
  const wanted = ports.map((source) => ({ host: '', source }))
  for (const [port, by] of await listUsedPorts(hostFor(attempt), wanted, { signal, ours: ports }))
    throw new Failed(whyTaken(server, port, by))
}
