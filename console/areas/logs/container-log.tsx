import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useSettings } from '../../lib/settings.ts'
import { useDownload } from './download.ts'
import { LogView, type LogViewProps } from './log-view.tsx'
import { mostKept } from './log-store.ts'
import { momentIn } from './moment.ts'
import { useContainerLog } from './use-container-log.ts'

interface ContainerLogProps {
  serverId: string
  containerId: string
  name: string
  /** When it was started last. */
  startedAt: string | undefined
  runs: boolean
  /** Its server or Docker does not answer: the stream may be open, but nothing comes through it. */
  away: boolean
}

const fewLines = 1000

/** What a container says: its last lines, or those since the time in the address. */
export function ContainerLog(props: ContainerLogProps) {
  const [params, setParams] = useSearchParams()
  const [asked, setAsked] = useState<{ times: number; place: string | undefined }>({
    times: 0,
    place: undefined,
  })
  const [since, lines] = [momentIn(params.get('since')), params.get('lines') ?? '']

  function ask(change: { since: string } | { lines: 'all' }, place?: string) {
    const after = new URLSearchParams(params)
    for (const name of ['dialog', 'since', 'lines']) after.delete(name)
    for (const [name, value] of Object.entries(change)) if (value !== '') after.set(name, value)
    setAsked({ times: asked.times + 1, place })
    setParams(after, { replace: true })
  }

  // Another question is another log, which begins anew.
  return (
    <Opened
      key={`${since} ${lines} ${asked.times}`}
      {...props}
      since={since}
      tail={lines === '' ? fewLines : mostKept.lines}
      onSince={(time) => ask({ since: time })}
      place={asked.place}
      onEarlier={(place) => ask({ lines: 'all' }, place)}
    />
  )
}

type OpenedProps = ContainerLogProps &
  Pick<LogViewProps, 'since' | 'tail' | 'place' | 'onSince' | 'onEarlier'>

function Opened({ serverId, containerId, name, startedAt, runs, away, ...view }: OpenedProps) {
  const { since, tail } = view
  const { store, state, goOn } = useContainerLog({
    serverId,
    containerId,
    since: since || undefined,
    tail,
    startedAt,
    runs,
  })
  const { log_timestamps: timestamps } = useSettings()
  const download = useDownload(serverId, containerId)
  return (
    <LogView
      {...view}
      label={`Log of ${name}`}
      store={store}
      state={away && state.kind === 'live' ? { kind: 'lost' } : state}
      onGoOn={goOn}
      onDownload={(range) => download.mutate({ ...range, timestamps: String(timestamps) })}
    />
  )
}
