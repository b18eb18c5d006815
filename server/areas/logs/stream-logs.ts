import type { z } from 'zod'
import type { streamLogs as contract } from '../../../contract/logs.ts'
import type { Context } from '../../context.ts'
import type { Actor } from '../../route.ts'
import { stillHasPermission } from '../auth/still-has-permission.ts'
import type { LogEvent } from './log-batch.ts'
import { getContainerLog, type ContainerRef, readRange } from './container-log.ts'
import { joinLogHub } from './log-hubs.ts'
import { parsePosition } from './log-position.ts'
import { toLogProblem, logEndReason } from './log-source.ts'
import { LogViewer } from './log-viewer.ts'

type Query = z.output<typeof contract.query>

/** Default tail. */
const defaultTail = 1_000

const soFar = 'End of the log so far.'
const untilThen = 'End of the selected time range.'
const stopped = 'The container is not running.'

/** Streams the history and then new lines, while the actor may read them. */
export async function* streamLogs(
  ctx: Context,
  actor: Actor,
  named: ContainerRef,
  query: Query,
  { signal, lastEventId }: { signal: AbortSignal; lastEventId: string | undefined },
): AsyncGenerator<LogEvent> {
  const { source, isUp } = await getContainerLog(ctx, actor, named)
  const range = readRange(query, defaultTail)
  const wanted = { ...range, after: parsePosition(lastEventId), timestamps: query.timestamps }
  const viewer = new LogViewer(source, wanted, signal)
  const isPast = range.until !== undefined && Date.parse(range.until) < ctx.now().getTime()
  const shared = query.follow && isUp && !isPast ? joinLogHub(source) : undefined

  async function* told() {
    yield* viewer.history(shared !== undefined)
    if (shared) yield* viewer.follow(shared.hub)
    const whyNoMore = range.until ? untilThen : query.follow ? stopped : soFar
    if (!signal.aborted) yield viewer.end(shared?.hub.over ?? whyNoMore)
  }

  let begun = false
  try {
    for await (const event of told()) {
      if (!begun) yield { id: '', data: { type: 'connected' } }
      begun = true
      if (!(await stillHasPermission(ctx, actor, 'containers.read'))) return
      if (event) yield event
    }
  } catch (error) {
    if (signal.aborted) return
    // Errors before the first event become an error response.
    if (!begun) throw await toLogProblem(source, error)
    yield viewer.end(await logEndReason(source, error))
  } finally {
    shared?.leave()
  }
}
