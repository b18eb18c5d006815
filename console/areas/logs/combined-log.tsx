import { useEffect, useRef, useState } from 'react'
import { saveFile } from '../../lib/http/save-file.ts'
import { useSettings } from '../../lib/local-settings.ts'
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
  containers: readonly LoggedContainer[]
  away: boolean
}

export const CombinedLog = (props: CombinedLogProps) => (
  <LogRangeFromUrl>{(requested) => <Opened {...props} requested={requested} />}</LogRangeFromUrl>
)

function Opened({
  serverId,
  label,
  containers,
  away,
  requested,
}: CombinedLogProps & { requested: LogRange }) {
  const { since, tail } = requested
  const [store] = useState(() => createLogStore())
  const [state, setState] = useState<FeedState>({ kind: 'connecting' })
  const feed = useRef<CombinedFeed>(undefined)
  const { log_timestamps: timestamps } = useSettings()
  const download = useLogDownload(serverId)
  // The effect depends on text, so that only a new or restarted container opens another stream.
  const containersJson = JSON.stringify(containers)

  useEffect(() => {
    const opened = openCombinedFeed({ serverId, since: since || undefined, tail }, store, setState)
    feed.current = opened
    return opened.stop
  }, [serverId, since, tail, store])

  useEffect(() => {
    // oxlint-disable-next-line no-unsafe-type-assertion -- the text was written from containers above
    feed.current?.follow(JSON.parse(containersJson) as LoggedContainer[])
  }, [containersJson])

  return (
    <LogView
      {...requested}
      label={label}
      store={store}
      state={away && state.kind === 'live' ? { kind: 'lost' } : state}
      onReconnect={() => feed.current?.follow(containers)}
      onDownload={(range) => {
        if (range) saveFile(new Blob([formatLog(store, timestamps)], { type: 'text/plain' }), `${label}.log`)
        else
          download.mutate(containers.map(({ id }) => ({ containerId: id, timestamps: String(timestamps) })))
      }}
    />
  )
}
