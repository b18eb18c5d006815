import { useEffect, useRef, useState } from 'react'
import { saveFile } from '../../lib/http/save-file.ts'
import { useSettings } from '../../lib/settings.ts'
import { type AllFeed, openAllFeed } from './feed/all-feed.ts'
import { type Asked, AskedLog } from './asked-log.tsx'
import { useDownload } from './download.ts'
import type { FeedState } from './feed/feed.ts'
import { LogView } from './log-view.tsx'
import { createLogStore } from './feed/log-store.ts'
import type { Speaker } from './feed/speaker.ts'
import { textOf } from './text-of.ts'

interface AllLogProps {
  serverId: string
  /** "Log of shop" */
  label: string
  speakers: readonly Speaker[]
  /** The server or Docker does not answer. */
  away: boolean
}

/** What several containers say, in the order of time. */
export const AllLog = (props: AllLogProps) => (
  <AskedLog>{(asked) => <Opened {...props} asked={asked} />}</AskedLog>
)

function Opened({ serverId, label, speakers, away, asked }: AllLogProps & { asked: Asked }) {
  const { since, tail } = asked
  const [store] = useState(() => createLogStore())
  const [state, setState] = useState<FeedState>({ kind: 'connecting' })
  const feed = useRef<AllFeed>(undefined)
  const { log_timestamps: timestamps } = useSettings()
  const download = useDownload(serverId)
  // Who is new, or was started again, has more to say.
  const who = JSON.stringify(speakers)

  useEffect(() => {
    const opened = openAllFeed({ serverId, since: since || undefined, tail }, store, setState)
    feed.current = opened
    return opened.stop
  }, [serverId, since, tail, store])

  useEffect(() => {
    // oxlint-disable-next-line no-unsafe-type-assertion -- it is what was written a moment ago
    feed.current?.follow(JSON.parse(who) as Speaker[])
  }, [who])

  return (
    <LogView
      {...asked}
      label={label}
      store={store}
      state={away && state.kind === 'live' ? { kind: 'lost' } : state}
      onGoOn={() => feed.current?.follow(speakers)}
      onDownload={(range) => {
        if (range) saveFile(new Blob([textOf(store, timestamps)], { type: 'text/plain' }), `${label}.log`)
        else download.mutate(speakers.map(({ id }) => ({ containerId: id, timestamps: String(timestamps) })))
      }}
    />
  )
}
