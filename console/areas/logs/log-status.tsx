import { useSyncExternalStore } from 'react'
import { Button } from '../../ui/button.tsx'
import { formatLineCount } from './feed/format-line-count.ts'
import type { FeedState } from './feed/log-feed.ts'
import { dayAndTime } from './line-time.ts'
import { LogBar } from './log-bar.tsx'
import { LogState } from './log-state.tsx'
import { type LogStore, maxStored } from './feed/log-store.ts'

interface LogStatusProps {
  store: LogStore
  state: FeedState
  since: string
  /** The number of last lines that were requested. */
  tail: number
  onEarlier: () => void
  onLive: () => void
  onGoOn: () => void
}

export function LogStatus({ store, state, since, tail, onEarlier, onLive, onGoOn }: LogStatusProps) {
  useSyncExternalStore(store.subscribe, () => store.version)
  const earlier = since === '' && (store.before === 'cleared' || mayFollowOthers(store, tail))
  const told = [
    ...(store.before === 'dropped' ? ['; older lines were dropped'] : []),
    ...(since === '' ? [] : [` since ${dayAndTime(since)}`]),
  ].join('')
  return (
    <LogBar
      store={store}
      more={told}
      state={
        <>
          <LogState state={state} paused={store.paused} />
          {store.paused && <span>{formatLineCount(store.held, 'new line', 'new lines')}</span>}
          {state.kind === 'over' && (
            <Button size="small" variant="ghost" onClick={onGoOn}>
              Reconnect
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

/** For long lines the server may return fewer than requested, but then at least this many characters. */
const longText = 262_144

/** Whether the log may have lines before the first one here. */
function mayFollowOthers({ before, lines, characters }: LogStore, tail: number): boolean {
  return before === 'all' && tail < maxStored.lines && (lines >= tail || characters >= longText)
}
