import { Failure } from '../../../lib/http/failure.ts'
import { fillPath } from '../../../lib/http/fill-path.ts'
import { followStream } from '../../../lib/http/follow-stream.ts'
import { send } from '../../../lib/http/send.ts'
import { formatLineCount } from './format-line-count.ts'
import { type LogEvent, toLogLine } from './log-entry.ts'
import { type LogStore, maxStored } from './log-store.ts'

export interface ContainerLogQuery {
  serverId: string
  containerId: string
  /** Where to begin; without it with the last ones. */
  since: string | undefined
  /** How many of the last ones. */
  tail: number
}

export type FeedState =
  | { kind: 'connecting' }
  | { kind: 'live' }
  | { kind: 'lost'; why?: string }
  /** There is no more to come, for now or for ever. */
  | { kind: 'over'; why?: string }

export interface LogFeed {
  /** Follows it again from where it ended. */
  goOn: () => void
  stop: () => void
}

/** A little less than is kept at all. */
const mostForTime = maxStored.lines * 0.9
const key = 'GET /v1/servers/{id}/containers/{cid}/logs'

/** Puts what a container says into a store, for as long as there is something to say. */
export function openLogFeed(
  log: ContainerLogQuery,
  store: LogStore,
  onState: (state: FeedState) => void,
): LogFeed {
  const { serverId: id, containerId: cid, since, tail } = log
  const params = { id, cid }
  let last = ''
  let full = false
  /** The number after the last word on why it ended. */
  let endedAt: number | undefined
  let stop: (() => void) | undefined
  const asking = new AbortController()

  /** From where it was heard last, or where one wants to begin. */
  const from = () => (last === '' ? (since ? { since } : { tail }) : { last_event_id: last })
  const address = (token: string) =>
    fillPath(key.slice('GET '.length), { params, query: { token, timestamps: true, ...from() } })

  function follow() {
    onState({ kind: 'connecting' })
    stop = followStream(address, {
      onOpen: () => onState({ kind: 'live' }),
      onMessage: (message, place) => {
        if (place !== '') last = place
        // oxlint-disable-next-line no-unsafe-type-assertion -- the server cuts its events to this schema
        hear(message as LogEvent)
      },
      onLost: (opened) => {
        onState({ kind: 'lost' })
        if (!opened) void askWhy()
      },
    })
  }

  function hear(event: LogEvent) {
    if (event.type === 'lines') {
      store.add(event.lines.map(toLogLine))
      // What was asked for by its time must not go for what came later.
      full = since !== undefined && store.end - store.first >= mostForTime
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

  function end(why: string) {
    stop?.()
    stop = undefined
    // Who asks again in vain need not be told again.
    if (store.end !== endedAt) store.add([{ kind: 'note', text: why }])
    endedAt = store.end
    // The last line says why; only where it lies far below what is read, it is said here too.
    onState(full ? { kind: 'over', why } : { kind: 'over' })
  }

  /** A refused stream tells a browser nothing, so the same is asked for in a way that has an answer. */
  async function askWhy() {
    try {
      const answer = await send(key, { params, query: { tail: '0', follow: false } }, asking.signal)
      await answer.body?.cancel()
    } catch (error) {
      if (!(error instanceof Failure) || asking.signal.aborted) return
      const why = error.messages.join(' ')
      if (lasting.has(error.status)) end(why)
      else onState({ kind: 'lost', why })
    }
  }

  follow()
  return {
    goOn() {
      if (!stop && !full) follow()
    },
    stop() {
      asking.abort()
      stop?.()
    },
  }
}

/** What another try a moment later would not change: no right, not there, cannot be read. */
const lasting = new Set([403, 404, 409, 422])
