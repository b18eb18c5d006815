import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { Button } from '../../ui/button.tsx'
import { dayAndTime, formatLineCount } from './format-line.ts'
import type { FeedState } from './feed/log-feed.ts'
import { type LogStore, maxStored } from './feed/log-store.ts'
import { classNames } from '../../ui/class-names.ts'
import { AddressText } from '../../lib/address.tsx'

interface LogStatusProps {
  store: LogStore
  state: FeedState
  since: string
  tail: number
  onEarlier: () => void
  onLive: () => void
  onReconnect: (() => void) | undefined
}

export function LogStatus({ store, state, since, tail, onEarlier, onLive, onReconnect }: LogStatusProps) {
  useSyncExternalStore(store.subscribe, () => store.version)
  const earlier = since === '' && (store.before === 'cleared' || mayFollowOthers(store, tail))
  const details = [
    ...(store.before === 'dropped' ? [' (older lines dropped)'] : []),
    ...(since === '' ? [] : [` since ${dayAndTime(since)}`]),
  ].join('')
  return (
    <LogBar
      store={store}
      more={details}
      state={
        <>
          <LogState state={state} paused={store.paused} />
          {store.paused && <span>{formatLineCount(store.held, 'new line', 'new lines')}</span>}
          {state.kind === 'over' && onReconnect && (
            <Button size="small" variant="ghost" onClick={onReconnect}>
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

/** The server may return fewer lines than requested if they are long, but then at least this many characters. */
const longText = 262_144

function mayFollowOthers({ before, lines, characters }: LogStore, tail: number): boolean {
  return before === 'all' && tail < maxStored.lines && (lines >= tail || characters >= longText)
}

interface LogBarProps {
  store: LogStore
  state: ReactNode
  more: string
  children?: ReactNode
}

export function LogBar({ store, state, more, children }: LogBarProps) {
  useSyncExternalStore(store.subscribe, () => store.version)
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-4 gap-y-1 border-t border-line bg-subtle px-3 py-1 text-sm">
      {state}
      <p className="ml-auto text-muted tabular-nums">
        {formatLineCount(store.lines, 'line', 'lines')}
        {more}
      </p>
      {children}
    </div>
  )
}

const words: Record<FeedState['kind'] | 'paused' | 'waiting', { label: string; dot: string }> = {
  connecting: { label: 'Connecting…', dot: 'bg-yellow animate-breathe' },
  live: { label: 'Live', dot: 'bg-green' },
  lost: { label: 'Reconnecting…', dot: 'bg-yellow animate-breathe' },
  over: { label: 'Ended', dot: 'bg-faint' },
  waiting: { label: 'Queued', dot: 'bg-yellow animate-breathe' },
  paused: { label: 'Paused', dot: 'bg-yellow' },
}

interface LogStateProps {
  state: FeedState | { kind: 'waiting' }
  paused?: boolean
}

export function LogState({ state, paused = false }: LogStateProps) {
  const { label, dot } = words[paused ? 'paused' : state.kind]
  const current = 'why' in state ? state.why : undefined
  // The last reason stays while reconnecting, so that the bar does not change its height with each attempt.
  const [last, setLast] = useState(current)
  if (current !== undefined && current !== last) setLast(current)
  const reason = current ?? (state.kind === 'lost' ? last : undefined)
  return (
    <output className="flex min-w-0 items-center gap-2 wrap-anywhere">
      <span className={classNames('size-2 shrink-0 rounded-full', dot)} aria-hidden />
      <span className="shrink-0 font-medium">{label}</span>
      {reason !== undefined && !paused && (
        <span className="text-muted">
          <AddressText>{reason}</AddressText>
        </span>
      )}
    </output>
  )
}
