import { classNames } from '../../ui/class-names.ts'
import type { FeedState } from './feed/log-feed.ts'

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
  const reason = 'why' in state ? state.why : undefined
  return (
    <output className="flex min-w-0 items-center gap-2 wrap-anywhere">
      <span className={classNames('size-2 shrink-0 rounded-full', dot)} aria-hidden />
      <span className="shrink-0 font-medium">{label}</span>
      {reason !== undefined && !paused && <span className="text-muted">{reason}</span>}
    </output>
  )
}
