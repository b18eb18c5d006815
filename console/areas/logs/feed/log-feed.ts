import { ApiError } from '../../../lib/http/api-error.ts'
import { fillPath } from '../../../lib/http/fill-path.ts'
import { followStream } from '../../../lib/http/follow-stream.ts'
import { send } from '../../../lib/http/call-api.ts'
import { formatLineCount } from '../format-line.ts'
import { type LogEvent, toLogLine } from './log-entry.ts'
import { type LogStore, maxStored } from './log-store.ts'

export interface LogSource {
  key: 'GET /v1/servers/{id}/containers/{cid}/logs' | 'GET /v1/applications/{id}/logs/{log_id}'
  params: Record<string, string>
  /** Parameters of a request without lines, whose error tells why the stream was refused. */
  probe: Record<string, string | boolean>
}

export const containerLogSource = (id: string, cid: string): LogSource => ({
  key: 'GET /v1/servers/{id}/containers/{cid}/logs',
  params: { id, cid },
  probe: { tail: '0', follow: false },
})

export const savedLogSource = (id: string, log_id: string): LogSource => ({
  key: 'GET /v1/applications/{id}/logs/{log_id}',
  params: { id, log_id },
  probe: { tail: '1' },
})

export interface LogRequest {
  source: LogSource
  /** Start time. Undefined requests the last `tail` lines. */
  since: string | undefined
  tail: number
}

export type FeedState =
  | { kind: 'connecting' }
  | { kind: 'live' }
  | { kind: 'lost'; why?: string }
  /** The stream has ended. `why` repeats the reason if the line that shows it may be out of view. */
  | { kind: 'over'; why?: string }

export interface LogFeed {
  resume: () => void
  stop: () => void
}

const maxForTimeRange = maxStored.lines * 0.9
export function openLogFeed(
  { source, since, tail }: LogRequest,
  store: LogStore,
  onState: (state: FeedState) => void,
): LogFeed {
  const { key, params, probe } = source
  let last = ''
  let full = false
  let endedAt: number | undefined
  let stop: (() => void) | undefined
  /** Counts how often the stream opened or ended. The reason of an earlier refusal is outdated then. */
  let changes = 0
  const refusalRequest = new AbortController()

  /** Returns the position after the last event, or the requested start before the first one. */
  const from = () => (last === '' ? (since ? { since } : { tail }) : { last_event_id: last })
  const address = (token: string) =>
    fillPath(key.slice('GET '.length), { params, query: { token, timestamps: true, ...from() } })

  function follow() {
    onState({ kind: 'connecting' })
    stop = followStream(address, {
      onOpen: () => {
        changes += 1
        onState({ kind: 'live' })
      },
      onMessage: (message, place) => {
        if (place !== '') last = place
        // oxlint-disable-next-line no-unsafe-type-assertion -- the server sends only events of this schema
        handleEvent(message as LogEvent)
      },
      onLost: (opened) => {
        onState({ kind: 'lost' })
        if (!opened) void findRefusalReason()
      },
    })
  }

  function handleEvent(event: LogEvent) {
    if (event.type === 'lines') {
      store.add(event.lines.map(toLogLine))
      // Later lines must not push out those of the requested time, so end the log before it is full.
      full = since !== undefined && store.end - store.first >= maxForTimeRange
      if (full)
        end(
          `Showing ${formatLineCount(store.end - store.first, 'line', 'lines')}. Jump to a later time to see more.`,
        )
    }
    if (event.type === 'missed')
      store.add([
        {
          kind: 'note',
          text: `${formatLineCount(event.lines, 'line was', 'lines were')} skipped because this view could not keep up.`,
        },
      ])
    if (event.type === 'end') end(event.reason)
  }

  function end(reason: string) {
    changes += 1
    stop?.()
    stop = undefined
    if (store.end !== endedAt) store.add([{ kind: 'note', text: reason }])
    endedAt = store.end
    // The last line of the log shows the reason. The state repeats the reason only if that line is far below the view.
    onState(full ? { kind: 'over', why: reason } : { kind: 'over' })
  }

  /** Browsers do not report why a stream was refused, so ask over HTTP. */
  async function findRefusalReason() {
    const before = changes
    try {
      const response = await send(key, { params, query: probe }, refusalRequest.signal)
      await response.body?.cancel()
    } catch (error) {
      if (!(error instanceof ApiError) || refusalRequest.signal.aborted || changes !== before) return
      const reason = error.messages.join(' ')
      if (lasting.has(error.status)) end(reason)
      else onState({ kind: 'lost', why: reason })
    }
  }

  follow()
  return {
    resume() {
      if (!stop && !full) follow()
    },
    stop() {
      refusalRequest.abort()
      stop?.()
    },
  }
}

/** HTTP status codes of errors that a retry does not resolve. */
const lasting = new Set([403, 404, 409, 422])
