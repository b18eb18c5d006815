import { useEffect, useRef, useState } from 'react'
import { type LogFeed, type FeedState, openLogFeed } from './log-feed.ts'
import { clockTime } from '../line-time.ts'
import { type LogStore, createLogStore } from './log-store.ts'

export interface OpenLog {
  store: LogStore
  state: FeedState
  /** Resumes after the end. */
  goOn: () => void
}

interface ContainerLogOptions {
  serverId: string
  containerId: string
  since: string | undefined
  tail: number
  /** A restarted container has new lines. */
  startedAt: string | undefined
  runs: boolean
}

/** Render with a key: another range is another log. */
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
    // The start may be known before the end of the previous stream, so wait.
    const timer = setTimeout(() => {
      wentOnFor.current = startedAt
      feed.current?.goOn()
    }, 500)
    return () => clearTimeout(timer)
  }, [over, runs, startedAt])

  return { store, state, goOn: () => feed.current?.goOn() }
}
