import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Kbd } from '../../ui/kbd.tsx'
import type { State } from './connection.ts'

const words: Record<State['kind'], { label: string; dot: string }> = {
  connecting: { label: 'Connecting…', dot: 'bg-yellow animate-breathe' },
  open: { label: 'Connected', dot: 'bg-green' },
  reconnecting: { label: 'Reconnecting…', dot: 'bg-yellow animate-breathe' },
  closed: { label: 'Connection closed', dot: 'bg-red' },
}

interface TerminalBarProps {
  state: State
  notice: string | undefined
  onOpenAgain: () => void
}

/** How it stands with the shell, and the keys that one could not guess. */
export function TerminalBar({ state, notice, onOpenAgain }: TerminalBarProps) {
  const { label, dot } = words[state.kind]
  const why = ('why' in state ? state.why : undefined) ?? notice
  return (
    <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-line bg-subtle px-3 py-1.5 text-sm">
      <output className="flex min-w-0 items-center gap-2 wrap-anywhere">
        <span className={classNames('size-2 shrink-0 rounded-full', dot)} aria-hidden />
        <span className="shrink-0 font-medium">{label}</span>
        {why && <span className="text-muted">{why}</span>}
      </output>
      {state.kind === 'closed' ? (
        <Button size="small" onClick={onOpenAgain}>
          Open again
        </Button>
      ) : (
        <p className="flex items-center gap-1 text-xs text-muted max-md:hidden">
          <Kbd>Ctrl</Kbd>
          <Kbd>Shift</Kbd>
          <Kbd>Enter</Kbd>
          <span className="mr-3">leaves the terminal</span>
          <Kbd>Ctrl</Kbd>
          <Kbd>Shift</Kbd>
          <Kbd>C</Kbd>
          <Kbd>V</Kbd>
          <span>copy and paste</span>
        </p>
      )}
    </div>
  )
}
