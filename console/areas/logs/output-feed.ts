import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { fillPath } from '../../lib/fill-path.ts'
import { followStream } from '../../lib/follow-stream.ts'
import { placeOf } from '../../lib/output-lines.ts'
import type { FeedState } from './feed.ts'
import { createLineCutter } from './line-cutter.ts'
import { readLine } from './log-entry.ts'
import type { LogStore } from './log-store.ts'

const key = 'GET /v1/deployments/{id}/logs'
type OutputEvent = Reply<Api[typeof key]>

/** Puts what a deployment says into a store, from its beginning to its end. Returns what stops it. */
export function openOutputFeed(id: string, store: LogStore, onState: (state: FeedState) => void): () => void {
  const { cut, rest } = createLineCutter()
  const add = (lines: ReturnType<typeof cut>) => store.add(lines.map(readLine))
  let last = 0

  function hear(event: OutputEvent, place: number) {
    if (event.type === 'end') {
      stop()
      add(rest())
      onState({ kind: 'over' })
    }
    // A stream that was taken up again begins anew; what is here already is passed over.
    if (event.type !== 'output' || place <= last) return
    // Pieces are numbered one by one, so that a jump is what was too much to keep.
    if (place > last + 1)
      store.add([{ kind: 'note', text: 'Lines are missing here: they were too many to keep.' }])
    last = place
    add(cut(event))
  }

  const stop = followStream(
    (token) => fillPath(key.slice('GET '.length), { params: { id }, query: { token } }),
    {
      onOpen: () => onState({ kind: 'live' }),
      onLost: () => onState({ kind: 'lost' }),
      // oxlint-disable-next-line no-unsafe-type-assertion -- the server cuts its events to this schema
      onMessage: (message, place) => hear(message as OutputEvent, placeOf(place)),
    },
  )
  return stop
}
