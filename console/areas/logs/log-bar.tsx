import { type ReactNode, useSyncExternalStore } from 'react'
import { formatLineCount } from './feed/format-line-count.ts'
import type { LogStore } from './feed/log-store.ts'

interface LogBarProps {
  store: LogStore
  /** How it stands with it. */
  state: ReactNode
  /** Said of its lines, behind how many there are. */
  more: string
  /** What can be done about them. */
  children?: ReactNode
}

/** At the foot of a log. */
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
