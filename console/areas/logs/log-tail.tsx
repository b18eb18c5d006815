import { useEffect, useState, useSyncExternalStore } from 'react'
import { containerLogSource, type FeedState, openLogFeed } from './feed/log-feed.ts'
import { createLogStore } from './feed/log-store.ts'
import { LogRow } from './log-row.tsx'

const LINES = 8

interface LogTailProps {
  serverId: string
  containerId: string
  name: string
}

/**
 * Follows the last lines of a container. Render with the container's ID as key, so that another container starts
 * empty.
 */
export function LogTail({ serverId, containerId, name }: LogTailProps) {
  const [store] = useState(() => createLogStore({ lines: 200, characters: 200_000 }))
  const [state, setState] = useState<FeedState>({ kind: 'connecting' })
  useEffect(() => {
    const source = containerLogSource(serverId, containerId)
    return openLogFeed({ source, since: undefined, tail: LINES }, store, setState).stop
  }, [serverId, containerId, store])
  useSyncExternalStore(store.subscribe, () => store.version)
  const from = Math.max(store.first, store.end - LINES)
  const numbers = Array.from({ length: store.end - from }, (_, index) => from + index)
  return (
    <div
      role="log"
      aria-live="off"
      aria-label={`Latest log lines of ${name}`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the element scrolls, so the keyboard must reach it
      tabIndex={0}
      // The element reserves its full height, so that nothing below moves.
      className="h-44 grow overflow-x-auto overflow-y-hidden bg-page py-2 font-mono text-xs leading-5 -outline-offset-2"
    >
      {numbers.length === 0 && (
        <p className="px-4 font-sans text-sm text-muted">
          {state.kind === 'connecting' ? 'Loading…' : 'No log lines yet'}
        </p>
      )}
      {numbers.map((number) => {
        const entry = store.get(number)
        return (
          entry && (
            <LogRow
              key={number}
              {...{ number, entry }}
              timestamps="clock"
              wrap={false}
              pattern={undefined}
              current={false}
              onOpen={ignore}
            />
          )
        )
      })}
    </div>
  )
}

const ignore = () => undefined
