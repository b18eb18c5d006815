import { EventEmitter, on } from 'node:events'
import { z } from 'zod'
import { createStreamTicket, streamLive } from '../../contract/live.ts'
import type { Bus } from '../platform/bus.ts'
import type { Context } from '../context.ts'
import { isRequestWithinLimit } from '../areas/api-tokens/token-limit.ts'
import { listEventsAfter } from '../areas/audit/audit.ts'
import { authenticateHash } from '../areas/auth/authenticate.ts'
import { createTicket } from '../areas/auth/session.ts'
import { type Actor, type LiveEvent, type Request, type Route, getTokenLimit, route } from '../route.ts'

const notifiedEvent = z.object({
  id: z.string(),
  workspace_id: z.string(),
  type: z.string(),
  kind: z.string().nullable(),
  target: z.string().nullable(),
})
type NotifiedEvent = z.infer<typeof notifiedEvent>

function createEventHub(bus: Bus): EventEmitter {
  const hub = new EventEmitter().setMaxListeners(0)
  bus.on('events', (payload) => {
    const event = notifiedEvent.parse(JSON.parse(payload))
    hub.emit(event.workspace_id, event)
  })
  const tellAll = (news: 'access' | 'gap') => {
    // The `error` event is skipped, because it has another meaning for iterators.
    for (const name of hub.eventNames()) if (name !== 'error') hub.emit(name, news)
  }
  bus.on('access', () => tellAll('access'))
  bus.onReconnect(() => tellAll('gap'))
  return hub
}

const mostMissed = 500

const toLiveEvent = (event: ChangeEvent) => ({
  id: event.id,
  data: {
    type: event.type,
    target: event.kind && event.target ? { kind: event.kind, id: event.target } : null,
  },
})

type ChangeEvent = Omit<NotifiedEvent, 'workspace_id'>

async function isVisible(ctx: Context, who: Pick<Actor, 'via' | 'workspace'>, { kind, target }: ChangeEvent) {
  const limit = getTokenLimit(who)
  if (!limit) return true
  if (kind !== 'application' && kind !== 'project') return false
  return isRequestWithinLimit(ctx.db, limit, who.workspace.id, kind, { params: { id: target }, query: {} })
}

export function createLiveRoute(bus: Bus): Route {
  const hub = createEventHub(bus)
  return route(streamLive, (ctx, request) => streamEvents(ctx, hub, request))
}

/** Yields live updates of a workspace as Server-Sent Events, and resumes after `Last-Event-ID`. */
async function* streamEvents(
  ctx: Context,
  hub: EventEmitter,
  { caller, signal, lastEventId }: Request<typeof streamLive>,
): AsyncGenerator<LiveEvent<z.input<(typeof streamLive)['reply']>>> {
  const workspaceId = caller.workspace.id
  const incoming = on(hub, workspaceId, { signal })
  await ctx.bus.ready()
  yield { id: '', data: { type: 'connected', target: null } }
  if (lastEventId) {
    const missed = await listEventsAfter(ctx, caller, lastEventId, mostMissed)
    // If too many events were missed, or the last one is too old, the client reloads everything.
    if (!missed) yield { id: '', data: { type: 'gap', target: null } }
    for (const { id, type, target_kind: kind, target_id: target } of missed ?? []) {
      const event = { id, type, kind, target }
      if (await isVisible(ctx, caller, event)) yield toLiveEvent(event)
    }
  }
  try {
    for await (const [news] of incoming) {
      // After a gap, events may be missing, so the client reconnects and reloads.
      if (news === 'gap') return
      // Access is checked before each event, because the member may have been removed or the session ended.
      const now = await authenticateHash(ctx, caller.tokenHash).catch(() => undefined)
      if (now?.workspace?.id !== workspaceId) return
      if (news === 'access') continue
      const event = notifiedEvent.parse(news)
      if (await isVisible(ctx, { via: now.via, workspace: now.workspace }, event)) yield toLiveEvent(event)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

export const ticketRoute = route(createStreamTicket, (ctx, { caller, body }) =>
  createTicket(ctx, caller, body.path),
)
