import { useEffect, useRef, useState } from 'react'
import { saveFile } from '../../lib/http/save-file.ts'
import { useSettings } from '../../lib/settings.ts'
import { type CombinedFeed, openCombinedFeed } from './feed/combined-feed.ts'
import { type LogRange, LogRangeFromUrl } from './log-range.tsx'
import { useLogDownload } from './use-log-download.ts'
import type { FeedState } from './feed/log-feed.ts'
import { LogView } from './log-view.tsx'
import { createLogStore } from './feed/log-store.ts'
import type { LoggedContainer } from './feed/interleave.ts'
import { formatLog } from './format-line.ts'

interface CombinedLogProps {
  serverId: string
  label: string
  speakers: readonly LoggedContainer[]
  /** The server or Docker is unreachable. */
  away: boolean
}

export const CombinedLog = (props: CombinedLogProps) => (
  <LogRangeFromUrl>{(asked) => <Opened {...props} asked={asked} />}</LogRangeFromUrl>
)

function Opened({ serverId, label, speakers, away, asked }: CombinedLogProps & { asked: LogRange }) {
  const { since, tail } = asked
  const [store] = useState(() => createLogStore())
  const [state, setState] = useState<FeedState>({ kind: 'connecting' })
  const feed = useRef<CombinedFeed>(undefined)
  const { log_timestamps: timestamps } = useSettings()
  const download = useLogDownload(serverId)
  // A new or restarted container needs another stream.
  const who = JSON.stringify(speakers)

  useEffect(() => {
    const opened = openCombinedFeed({ serverId, since: since || undefined, tail }, store, setState)
    feed.current = opened
    return opened.stop
  }, [serverId, since, tail, store])

  useEffect(() => {
    // oxlint-disable-next-line no-unsafe-type-assertion -- it is what was written a moment ago
    feed.current?.follow(JSON.parse(who) as LoggedContainer[])
  }, [who])

  return (
    <LogView
      {...asked}
      label={label}
      store={store}
      state={away && state.kind === 'live' ? { kind: 'lost' } : state}
      onGoOn={() => feed.current?.follow(speakers)}
      onDownload={(range) => {
        if (range) saveFile(new Blob([formatLog(store, timestamps)], { type: 'text/plain' }), `${label}.log`)
        else download.mutate(speakers.map(({ id }) => ({ containerId: id, timestamps: String(timestamps) })))
      }}
    />
  )
}
