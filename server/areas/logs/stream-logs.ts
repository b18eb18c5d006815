import type { z } from 'zod'
import type { streamLogs as contract } from '../../../contract/logs.ts'
import type { Context } from '../../context.ts'
import type { Actor } from '../../route.ts'
import { stillHasPermission } from '../auth/authenticate.ts'
import { type LogEvent, parsePosition, toStamp } from './log-batch.ts'
import { joinLogHub } from './log-hubs.ts'
import { isRunningStatus, logEndReason, type LogSource, toLogProblem } from './log-source.ts'
import { LogViewer } from './log-viewer.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { Invalid } from '../../errors.ts'
import { getServerRow } from '../servers/server.ts'
import { inspectContainer } from '../containers/docker-container.ts'

type Query = z.output<typeof contract.query>

const defaultTail = 1_000

const soFar = 'End of the log so far.'
const untilThen = 'End of the selected time range.'
const stopped = 'The container is not running.'

export async function* streamLogs(
  ctx: Context,
  actor: Actor,
  named: ContainerRef,
  query: Query,
  { signal, lastEventId }: { signal: AbortSignal; lastEventId: string | undefined },
): AsyncGenerator<LogEvent> {
  const { source, isUp } = await getContainerLog(ctx, actor, named)
  const range = readRange(query, defaultTail)
  const request = { ...range, after: parsePosition(lastEventId), timestamps: query.timestamps }
  const viewer = new LogViewer(source, request, signal)
  const isPast = range.until !== undefined && Date.parse(range.until) < ctx.now().getTime()
  const shared = query.follow && isUp && !isPast ? joinLogHub(source) : undefined

  async function* readEvents() {
    yield* viewer.history(shared !== undefined)
    if (shared) yield* viewer.follow(shared.hub)
    const whyNoMore = range.until ? untilThen : query.follow ? stopped : soFar
    if (!signal.aborted) yield viewer.end(shared?.hub.over ?? whyNoMore)
  }

  let begun = false
  try {
    for await (const event of readEvents()) {
      if (!begun) yield { id: '', data: { type: 'connected' } }
      begun = true
      if (!(await stillHasPermission(ctx, actor, 'containers.read'))) return
      if (event) yield event
    }
  } catch (error) {
    if (signal.aborted) return
    if (!begun) throw await toLogProblem(source, error)
    yield viewer.end(await logEndReason(source, error))
  } finally {
    shared?.leave()
  }
}

export interface ContainerRef {
  id: Id<'server'>
  cid: string
}

export async function getContainerLog(
  ctx: Context,
  actor: Actor,
  named: ContainerRef,
): Promise<{ source: LogSource; name: string; isUp: boolean }> {
  const row = await getServerRow(ctx, actor, named.id)
  const inspection = await inspectContainer(ctx, row, named.cid)
  const isUp = isRunningStatus(inspection.State.Status)
  const source: LogSource = {
    ctx,
    workspace: actor.workspace.id,
    server: row.id,
    container: inspection.Id,
    tty: inspection.Config.Tty,
    isOver: !isUp,
  }
  return { source, name: inspection.Name.replace(/^\//, ''), isUp }
}

interface RangeQuery {
  tail?: string | undefined
  since?: string | undefined
  until?: string | undefined
}

export function readRange({ tail, ...range }: RangeQuery, defaultLines?: number) {
  const [since, until] = [range.since, range.until].map((moment) => moment && toStamp(moment))
  if (since && until && since > until) throw new Invalid({ until: ['Must not be before since.'] })
  if (tail === undefined) return { since, until, tail: since ? undefined : defaultLines }
  return { since, until, tail: tail === 'all' ? undefined : Number(tail) }
}
