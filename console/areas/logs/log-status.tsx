import { useSyncExternalStore } from 'react'
import { Button } from '../../ui/button.tsx'
import { counted } from './feed/counted.ts'
import type { FeedState } from './feed/feed.ts'
import { dayAndTime } from './line-time.ts'
import { LogBar } from './log-bar.tsx'
import { LogState } from './log-state.tsx'
import { type LogStore, mostKept } from './feed/log-store.ts'

interface LogStatusProps {
  store: LogStore
  state: FeedState
  since: string
  /** How many of the last lines were asked for. */
  tail: number
  onEarlier: () => void
  onLive: () => void
  onGoOn: () => void
}

/** How it stands with the log, and what of it is here. */
export function LogStatus({ store, state, since, tail, onEarlier, onLive, onGoOn }: LogStatusProps) {
  useSyncExternalStore(store.subscribe, () => store.version)
  const earlier = since === '' && (store.before === 'cleared' || mayFollowOthers(store, tail))
  const told = [
    ...(store.before === 'dropped' ? ['; older ones were dropped'] : []),
    ...(since === '' ? [] : [` since ${dayAndTime(since)}`]),
  ].join('')
  return (
    <LogBar
      store={store}
      more={told}
      state={
        <>
          <LogState state={state} paused={store.paused} />
          {store.paused && <span>{counted(store.held, 'new line', 'new lines')}</span>}
          {state.kind === 'over' && (
            <Button size="small" variant="ghost" onClick={onGoOn}>
              Connect again
            </Button>
          )}
        </>
      }
    >
      {earlier && (
        <Button size="small" variant="ghost" onClick={onEarlier}>
          Show earlier lines
        </Button>
      )}
      {since !== '' && (
        <Button size="small" onClick={onLive}>
          Back to live
        </Button>
      )}
    </LogBar>
  )
}

/** Of long lines the server may give fewer than were asked for, but then not so little text. */
const longText = 262_144

/** Whether others may have been said before the first one here, that were not asked for yet. */
function mayFollowOthers({ before, lines, characters }: LogStore, tail: number): boolean {
  return before === 'all' && tail < mostKept.lines && (lines >= tail || characters >= longText)
}
