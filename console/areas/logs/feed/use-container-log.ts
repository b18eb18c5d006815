import { useEffect, useRef, useState } from 'react'
import { type LogFeed, type FeedState, openLogFeed } from './log-feed.ts'
import { clockTime } from '../line-time.ts'
import { type LogStore, createLogStore } from './log-store.ts'

export interface OpenLog {
  store: LogStore
  state: FeedState
  /** Follows it again after it has ended. */
  goOn: () => void
}

interface ContainerLogOptions {
  serverId: string
  containerId: string
  since: string | undefined
  tail: number
  /** When the container was started last. What begins to run again has more to say. */
  startedAt: string | undefined
  runs: boolean
}

/** Give its owner a key: another question is another log. */
export function useContainerLog({
  serverId,
  containerId,
  since,
  tail,
  startedAt,
  runs,
}: ContainerLogOptions): OpenLog {
  const [state, setState] = useState<FeedState>({ kind: 'connecting' })
  const feed = useRef<LogFeed>(undefined)
  const [store] = useState(() => createLogStore())

  useEffect(() => {
    const opened = openLogFeed({ serverId, containerId, since, tail }, store, setState)
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
  const wentOnFor = useRef<string>(undefined)
  useEffect(() => {
    if (!over || !runs || startedAt === undefined || startedAt === wentOnFor.current) return undefined
    // Whoever says when it was started may not have heard yet that it has ended.
    const timer = setTimeout(() => {
      wentOnFor.current = startedAt
      feed.current?.goOn()
    }, 500)
    return () => clearTimeout(timer)
  }, [over, runs, startedAt])

  return { store, state, goOn: () => feed.current?.goOn() }
}
