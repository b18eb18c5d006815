import { useSettings } from '../../lib/settings.ts'
import { type LogRange, LogRangeFromUrl } from './log-range.tsx'
import { useLogDownload } from './use-log-download.ts'
import { LogView } from './log-view.tsx'
import { useContainerLog } from './feed/use-container-log.ts'

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
  <LogRangeFromUrl>{(asked) => <Opened {...props} asked={asked} />}</LogRangeFromUrl>
)

type OpenedProps = ContainerLogProps & { asked: LogRange }

function Opened({ serverId, containerId, name, startedAt, runs, away, asked }: OpenedProps) {
  const { since, tail } = asked
  const { store, state, goOn } = useContainerLog({
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
      {...asked}
      label={`Log of ${name}`}
      store={store}
      state={away && state.kind === 'live' ? { kind: 'lost' } : state}
      onGoOn={goOn}
      onDownload={(range) => download.mutate([{ containerId, ...range, timestamps: String(timestamps) }])}
    />
  )
}
