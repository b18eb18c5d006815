import { useEffect, useRef, useState } from 'react'
import type { State } from './connection.ts'
import type { Place } from './place.ts'
import type { Screen } from './screen.ts'
import { TerminalBar } from './terminal-bar.tsx'

/** A shell on a server or in a container, as wide and high as the page has room for. */
export function TerminalPane({ serverId, containerId }: Place) {
  const pane = useRef<HTMLElement>(null)
  const place = useRef<HTMLDivElement>(null)
  const screen = useRef<Screen>(undefined)
  const [state, setState] = useState<State>({ kind: 'connecting' })
  const [notice, setNotice] = useState<string>()
  const [failure, setFailure] = useState<{ cause: unknown }>()

  useEffect(() => {
    const element = place.current
    if (!element) return undefined
    const ended = new AbortController()
    const onLeave = () => pane.current?.focus()
    const begin = async () => {
      const { openScreen } = await import('./screen.ts')
      const given = { place: { serverId, containerId }, onState: setState, onNotice: setNotice, onLeave }
      const opened = await openScreen(element, given, ended.signal)
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

  // The page around it tells what went wrong.
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
