import { type ReactNode, useSyncExternalStore } from 'react'
import { formatLineCount } from './feed/format-line-count.ts'
import type { LogStore } from './feed/log-store.ts'

interface LogBarProps {
  store: LogStore
  state: ReactNode
  /** Appended to the line count. */
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
