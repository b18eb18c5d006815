import { useSettings } from '../../lib/local-settings.ts'
import { type LogRange, LogRangeFromUrl } from './log-range.tsx'
import { useLogDownload } from './use-log-download.ts'
import { LogView } from './log-view.tsx'
import { useEffect, useRef, useState } from 'react'
import { containerLogSource, type FeedState, type LogFeed, openLogFeed } from './feed/log-feed.ts'
import { clockTime } from './format-line.ts'
import { createLogStore, type LogStore } from './feed/log-store.ts'

interface ContainerLogProps {
  serverId: string
  containerId: string
  name: string
  startedAt: string | undefined
  runs: boolean
  /** The server or Docker is unreachable: the stream may be open, but nothing arrives. */
  away: boolean
}

export const ContainerLog = (props: ContainerLogProps) => (
  <LogRangeFromUrl>{(requested) => <Opened {...props} requested={requested} />}</LogRangeFromUrl>
)

type OpenedProps = ContainerLogProps & { requested: LogRange }

function Opened({ serverId, containerId, name, startedAt, runs, away, requested }: OpenedProps) {
  const { since, tail } = requested
  const { store, state, reconnect } = useContainerLog({
    serverId,
    containerId,
    since: since || undefined,
    tail,
    startedAt,
    runs,
  })
  const { log_timestamps: timestamps } = useSettings()
  const download = useLogDownload(serverId)
  return (
    <LogView
      {...requested}
      label={`Log of ${name}`}
      store={store}
      state={away && state.kind === 'live' ? { kind: 'lost' } : state}
      onReconnect={reconnect}
      onDownload={(range) => download.mutate([{ containerId, ...range, timestamps: String(timestamps) }])}
    />
  )
}

interface ContainerLogOptions {
  serverId: string
  containerId: string
  since: string | undefined
  tail: number
  startedAt: string | undefined
  runs: boolean
}

/** Each range is a separate log, so render the component with a key per range. */
function useContainerLog({ serverId, containerId, since, tail, startedAt, runs }: ContainerLogOptions): {
  store: LogStore
  state: FeedState
  reconnect: () => void
} {
  const [state, setState] = useState<FeedState>({ kind: 'connecting' })
  const feed = useRef<LogFeed>(undefined)
  const [store] = useState(() => createLogStore())

  useEffect(() => {
    const opened = openLogFeed(
      { source: containerLogSource(serverId, containerId), since, tail },
      store,
      setState,
    )
    feed.current = opened
    return opened.stop
  }, [serverId, containerId, since, tail, store])

  const knownStart = useRef<string>(undefined)
  useEffect(() => {
    if (startedAt === undefined) return
    if (knownStart.current !== undefined && knownStart.current !== startedAt)
      store.add([{ kind: 'note', text: `The container restarted at ${clockTime(startedAt)}.` }])
    knownStart.current = startedAt
  }, [startedAt, store])

  const over = state.kind === 'over'
  const reconnectedFor = useRef<string>(undefined)
  useEffect(() => {
    if (!over || !runs || startedAt === undefined || startedAt === reconnectedFor.current) return undefined
    // The new start may be known before the previous stream ends, so wait before resuming.
    const timer = setTimeout(() => {
      reconnectedFor.current = startedAt
      feed.current?.resume()
    }, 500)
    return () => clearTimeout(timer)
  }, [over, runs, startedAt])

  return { store, state, reconnect: () => feed.current?.resume() }
}
