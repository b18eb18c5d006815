import { useSyncExternalStore } from 'react'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { counted } from './counted.ts'
import type { FeedState } from './feed.ts'
import { dayAndTime } from './line-time.ts'
import { type LogStore, mostKept } from './log-store.ts'

const words: Record<FeedState['kind'] | 'paused', { label: string; dot: string }> = {
  connecting: { label: 'Connecting…', dot: 'bg-yellow animate-breathe' },
  live: { label: 'Live', dot: 'bg-green' },
  lost: { label: 'Reconnecting…', dot: 'bg-yellow animate-breathe' },
  over: { label: 'Ended', dot: 'bg-faint' },
  paused: { label: 'Paused', dot: 'bg-yellow' },
}

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
  const { label, dot } = words[store.paused ? 'paused' : state.kind]
  const why = 'why' in state ? state.why : undefined
  const earlier = since === '' && (store.before === 'cleared' || mayFollowOthers(store, tail))
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-4 gap-y-1 border-t border-line bg-subtle px-3 py-1 text-sm">
      <output className="flex min-w-0 items-center gap-2 wrap-anywhere">
        <span className={classNames('size-2 shrink-0 rounded-full', dot)} aria-hidden />
        <span className="shrink-0 font-medium">{label}</span>
        {why !== undefined && !store.paused && <span className="text-muted">{why}</span>}
      </output>
      {store.paused && <span>{counted(store.held, 'new line', 'new lines')}</span>}
      {state.kind === 'over' && (
        <Button size="small" variant="ghost" onClick={onGoOn}>
          Connect again
        </Button>
      )}
      <p className="ml-auto text-muted tabular-nums">
        {counted(store.lines, 'line', 'lines')}
        {store.before === 'dropped' && '; older ones were dropped'}
        {since !== '' && ` since ${dayAndTime(since)}`}
      </p>
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
    </div>
  )
}

/** Of long lines the server may give fewer than were asked for, but then not so little text. */
const longText = 262_144

/** Whether others may have been said before the first one here, that were not asked for yet. */
function mayFollowOthers({ before, lines, characters }: LogStore, tail: number): boolean {
  return before === 'all' && tail < mostKept.lines && (lines >= tail || characters >= longText)
}
