import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import {
  actionGoesOn,
  asSentence,
  dockerRefused,
  Invalid,
  notFound,
  serverUnreachable,
} from '../../errors.ts'
import { emit } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import { DockerError, Lost, Outdated, TimedOut } from '../../remote/errors.ts'
import type { Actor } from '../../route.ts'
import { reach } from '../servers/reach.ts'
import { getServerRow } from '../servers/server.ts'
import type { Container } from './container.ts'
import { mustControl } from './control.ts'
import { type Inspected, inspectContainer, nameOf, targetOf } from './inspect.ts'
import { refreshContainer } from './refresh.ts'
import type { z } from 'zod'
import type { actOnContainer, containerActions } from '../../../contract/containers.ts'
import type { EventType } from '../../../contract/shared/events.ts'
import type { DockerRequest } from '../../remote/host.ts'

/** A container gets ten seconds to stop unless it was told otherwise when it was made. */
const PATIENCE = 60_000

const UNKNOWN = 'Whether it was done is not known: look at it when the server is back.'

/** Has Docker do it, and gives the container as it is then; null once it is removed. */
export async function act(
  ctx: Context,
  actor: Actor,
  given: { id: Id<'server'>; cid: string },
  wish: Wish,
  patience = PATIENCE,
): Promise<Container | null> {
  if (wish.action === 'rename' && wish.name === undefined)
    throw new Invalid({ name: ['Say the new name of the container.'] })
  const server = await getServerRow(ctx, actor, given.id)
  const inspected = await inspectContainer(ctx, server, given.cid)
  await mustControl(ctx, actor, server, inspected)
  const note = () =>
    transaction(ctx.db, (trx) =>
      emit(
        trx,
        actor,
        actor.workspace.id,
        events[wish.action],
        targetOf(inspected),
        detailOf(wish, server.name),
      ),
    )
  return reach(ctx, server, async ({ docker }) => {
    try {
      await docker.json({ ...requestOf(inspected.Id, wish), timeout: patience })
    } catch (error) {
      // Docker was not heard of in time, and may do it all the same.
      if (error instanceof TimedOut || error instanceof Lost) await note()
      if (error instanceof TimedOut) throw actionGoesOn(nameOf(inspected), server.name)
      if (error instanceof Lost && !(error instanceof Outdated))
        throw serverUnreachable(server.name, `${asSentence(error.message)} ${UNKNOWN}`)
      if (!(error instanceof DockerError)) throw error
      // What failed half-way leaves it changed, and Docker does not tell of every such change.
      await refreshContainer(ctx, server, docker, inspected.Id).catch(() => {})
      throw inWords(error, wish.action, inspected)
    }
    try {
      return (await refreshContainer(ctx, server, docker, inspected.Id)) ?? null
    } finally {
      await note()
    }
  })
}

/** Docker's refusal as an answer with its own reason; a name reads better than an id, and the beginning than all of it. */
function inWords(error: DockerError, action: Action, inspected: Inspected): Error {
  const why = error.message
    .replaceAll(inspected.Id, nameOf(inspected))
    .replaceAll(/\b[0-9a-f]{64}\b/g, (id) => id.slice(0, 12))
  if (error.status === 404 && /no such container/i.test(why)) return notFound('This container')
  if (error.status === 409 || conflicting.test(why)) return dockerRefused(why)
  const field = error.status === 400 ? fields[action] : undefined
  return field ? new Invalid({ [field]: [asSentence(why)] }) : new DockerError(error.status, why)
}

/** Docker calls these a failure of its own: older engines the first, all of them a port that another holds. */
const conflicting = / is not paused$|port is already allocated|address already in use/

/** What Docker can find fault with. */
const fields: Partial<Record<Action, keyof Wish>> = { rename: 'name', kill: 'signal' }

type Action = (typeof containerActions)[number]
/** An action with what it is given. */
type Wish = z.output<typeof actOnContainer.body>

/** What Docker is asked for. */
function requestOf(id: string, wish: Wish): DockerRequest {
  const path = `/containers/${id}`
  if (wish.action !== 'remove') {
    const query = new URLSearchParams(optionsOf(wish)).toString()
    return { method: 'POST', path: `${path}/${wish.action}?${query}` }
  }
  const query = new URLSearchParams({ force: String(wish.force ?? false), v: String(wish.volumes ?? false) })
  return { method: 'DELETE', path: `${path}?${query.toString()}` }
}

function optionsOf({ action, name = '', signal = SIGNAL }: Wish): Record<string, string> {
  if (action === 'rename') return { name }
  return action === 'kill' ? { signal } : {}
}

const SIGNAL = 'SIGKILL'

const events: Record<Action, EventType> = {
  start: 'container.started',
  stop: 'container.stopped',
  restart: 'container.restarted',
  pause: 'container.paused',
  unpause: 'container.unpaused',
  kill: 'container.killed',
  rename: 'container.renamed',
  remove: 'container.removed',
}

/** What the audit log says after the name of the container. */
function detailOf({ action, name, signal = SIGNAL }: Wish, server: string): string {
  if (action === 'rename') return `to ${name} on ${server}`
  return action === 'kill' ? `(${signal}) on ${server}` : `on ${server}`
}
