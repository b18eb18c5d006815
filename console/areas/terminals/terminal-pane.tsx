import { useEffect, useRef, useState } from 'react'
import type { ConnectionState, TerminalTarget } from './terminal-connection.ts'
import type { TerminalScreen } from './terminal-screen.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Kbd } from '../../ui/code.tsx'
import { AddressText } from '../../lib/address.tsx'

export function TerminalPane({ serverId, containerId }: TerminalTarget) {
  const pane = useRef<HTMLElement>(null)
  const place = useRef<HTMLDivElement>(null)
  const screen = useRef<TerminalScreen>(undefined)
  const [state, setState] = useState<ConnectionState>({ kind: 'connecting' })
  const [notice, setNotice] = useState<string>()
  const [failure, setFailure] = useState<{ cause: unknown }>()

  useEffect(() => {
    const element = place.current
    if (!element) return undefined
    const ended = new AbortController()
    const onLeave = () => pane.current?.focus()
    const begin = async () => {
      const { openTerminalScreen } = await import('./terminal-screen.ts')
      const screenOptions = {
        place: { serverId, containerId },
        onState: setState,
        onNotice: setNotice,
        onLeave,
      }
      const opened = await openTerminalScreen(element, screenOptions, ended.signal)
      if (ended.signal.aborted) opened?.close()
      else screen.current = opened
    }
    begin().catch((cause: unknown) => setFailure({ cause }))
    return () => {
      ended.abort()
      screen.current?.close()
      screen.current = undefined
    }
  }, [serverId, containerId])

  // The error boundary of the page shows the failure.
  if (failure) throw failure.cause
  return (
    <section
      ref={pane}
      aria-label="Terminal"
      tabIndex={-1}
      data-wide
      className="flex min-h-80 flex-1 flex-col overflow-hidden rounded-lg border border-line outline-none focus-within:border-edge focus-visible:ring-2 focus-visible:ring-accent"
    >
      <TerminalBar
        state={state}
        notice={notice}
        onOpenAgain={() => {
          screen.current?.openAgain()
          screen.current?.focus()
        }}
      />
      <div className="relative flex-1">
        <div ref={place} className="absolute inset-0 m-2 mr-0 overflow-hidden" />
      </div>
    </section>
  )
}

const words: Record<ConnectionState['kind'], { label: string; dot: string }> = {
  connecting: { label: 'Connecting…', dot: 'bg-yellow animate-breathe' },
  open: { label: 'Connected', dot: 'bg-green' },
  reconnecting: { label: 'Reconnecting…', dot: 'bg-yellow animate-breathe' },
  closed: { label: 'Connection closed', dot: 'bg-red' },
}

interface TerminalBarProps {
  state: ConnectionState
  notice: string | undefined
  onOpenAgain: () => void
}

function TerminalBar({ state, notice, onOpenAgain }: TerminalBarProps) {
  const { label, dot } = words[state.kind]
  const reason = ('why' in state ? state.why : undefined) ?? notice
  return (
    <div className="relative z-10 flex min-h-11 flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-line bg-subtle px-3 py-1.5 text-sm">
      <output className="flex min-w-0 items-center gap-2 wrap-anywhere">
        <span className={classNames('size-2 shrink-0 rounded-full', dot)} aria-hidden />
        <span className="shrink-0 font-medium">{label}</span>
        {reason && (
          // The status overlays the terminal on phones, so that the terminal keeps its height.
          <span className="text-muted max-sm:absolute max-sm:inset-x-0 max-sm:top-full max-sm:border-y max-sm:border-line max-sm:bg-subtle max-sm:px-3 max-sm:py-1.5">
            <AddressText>{reason}</AddressText>
          </span>
        )}
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
          <span className="mr-3">to leave the terminal</span>
          <Kbd>Ctrl</Kbd>
          <Kbd>Shift</Kbd>
          <Kbd>C</Kbd>
          <Kbd>V</Kbd>
          <span>to copy and paste</span>
        </p>
      )}
    </div>
  )
}
