import type { Api } from '../../../../contract/api.ts'
import type { Reply } from '../../../../contract/endpoint.ts'
import { fillPath } from '../../../lib/http/fill-path.ts'
import { followStream } from '../../../lib/http/follow-stream.ts'
import { formatLineCount } from '../format-line.ts'
import type { FeedState } from './log-feed.ts'
import { createInterleaver, type LoggedContainer, prefixWithName, shortNames } from './interleave.ts'
import { type LogEntry, toLogLine } from './log-entry.ts'
import type { LogStore } from './log-store.ts'

const key = 'GET /v1/servers/{id}/logs'
type Event = Reply<Api[typeof key]>

interface CombinedLogQuery {
  serverId: string
  /** Start time. Undefined requests the last `tail` lines of each container. */
  since: string | undefined
  tail: number
}

export interface CombinedFeed {
  /** The logs of containers that were followed before continue at their last position. */
  follow: (containers: readonly LoggedContainer[]) => void
  stop: () => void
}

/** Merges the logs of several containers and puts the name of the container before each line. */
export function openCombinedFeed(
  { serverId: id, since, tail }: CombinedLogQuery,
  store: LogStore,
  onState: (state: FeedState) => void,
): CombinedFeed {
  const order = createInterleaver(store.add)
  const positions = new Map<string, { at: string; index: number }>()
  let names = new Map<string, string>()
  let ended = new Set<string>()
  let last = ''
  let stop: (() => void) | undefined

  function handleEvent({ container, event }: Event) {
    const position = positions.get(container) ?? { at: '', index: positions.size }
    positions.set(container, position)
    const name = names.get(container) ?? container.slice(0, 12)
    if (event.type === 'lines') {
      const lines = event.lines.map((line) => prefixWithName(toLogLine(line), name, position.index))
      position.at = lines.at(-1)?.at ?? position.at
      order.push(lines, position.at)
    }
    if (event.type === 'missed')
      note(
        `${formatLineCount(event.lines, 'line was', 'lines were')} skipped because this view could not keep up.`,
      )
    if (event.type !== 'end') return
    ended.add(container)
    note(event.reason)
    if (ended.size < names.size) return
    stop?.()
    stop = undefined
    onState({ kind: 'over' })

    function note(text: string) {
      const entry: LogEntry = { kind: 'note', text: `${name}: ${text}` }
      order.push([entry], position.at)
    }
  }

  function follow(containers: readonly LoggedContainer[]) {
    stop?.()
    const short = shortNames(containers.map(({ name }) => name))
    names = new Map(containers.map(({ id: containerId, name }) => [containerId, short.get(name) ?? name]))
    ended = new Set()
    order.begin()
    onState({ kind: 'connecting' })
    const ids = [...names.keys()].join(',')
    const from = () => ({
      ...(since ? { since } : { tail }),
      ...(last === '' ? {} : { last_event_id: last }),
    })
    stop = followStream(
      (token) =>
        fillPath(key.slice('GET '.length), {
          params: { id },
          query: { token, containers: ids, timestamps: true, ...from() },
        }),
      {
        onOpen: () => onState({ kind: 'live' }),
        onMessage: (message, eventId) => {
          if (eventId !== '') last = eventId
          // oxlint-disable-next-line no-unsafe-type-assertion -- the server sends only events of this schema
          handleEvent(message as Event)
        },
        onLost: () => onState({ kind: 'lost' }),
      },
    )
  }

  return {
    follow,
    stop() {
      stop?.()
      order.stop()
    },
  }
}
