import { Download, WrapText } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { saveFile } from '../../lib/http/save-file.ts'
import { changeSettings, useSettings } from '../../lib/local-settings.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { createFailureTest, findFailure } from './failure-lines.ts'
import { formatLineCount, formatLog } from './format-line.ts'
import type { FeedState } from './feed/log-feed.ts'
import { LogBar, LogState } from './log-status.tsx'
import { LogFrame } from './log-frame.tsx'
import type { LogLinesHandle } from './log-lines.tsx'
import { createLogStore, type LogStore } from './feed/log-store.ts'
import { LogTool } from './log-tools.tsx'
import { useLogFilter } from './search/use-log-filter.ts'
import { OriginChoice, originLabels } from './origin-choice.tsx'
import type { OutputOrigin } from '../../../contract/shared/output-origins.ts'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { fillPath } from '../../lib/http/fill-path.ts'
import { followStream } from '../../lib/http/follow-stream.ts'
import { outputPosition } from '../../lib/output-lines.ts'
import { createLineSplitter, toLogLine } from './feed/log-entry.ts'

interface DeploymentLogProps {
  id: string
  label: string
  droppedLines: number
  /** The deployment has not started, so there is no stream yet. */
  queued: boolean
  inProgress: boolean
  emptyText: string
  /** Log lines with the text of an error are marked, and the view scrolls to the first. */
  errors: readonly string[]
  /** The log takes the height of its container instead of a share of the screen. */
  tall?: boolean
}

/** Render with the deployment's ID as key, so that another deployment starts with an empty log. */
export function DeploymentLog({
  id,
  label,
  droppedLines,
  queued,
  inProgress,
  emptyText,
  errors,
  tall = false,
}: DeploymentLogProps) {
  const { log_wrap: wrap } = useSettings()
  const { store, state, origins } = useDeploymentLog(id)
  const filter = useLogFilter()
  const { origin } = filter.criteria
  const lines = useRef<LogLinesHandle>(null)
  const isFailure = useMemo(() => createFailureTest(errors), [errors])
  useEffect(() => {
    const failure = state.kind === 'over' ? findFailure(store, isFailure) : undefined
    if (failure !== undefined && lines.current?.inSight().follows) lines.current.show(failure)
  }, [state, store, isFailure])
  function emptyLabel() {
    if (origin !== undefined && store.lines > 0)
      return `No ${originLabels[origin].toLowerCase()} output${inProgress ? ' yet' : ''}`
    return inProgress || state.kind === 'over' ? emptyText : 'Loading…'
  }

  return (
    <LogFrame
      label={label}
      className={tall ? 'min-h-96 flex-1 rounded-lg' : dialogLogClasses}
      {...{ lines, store, filter, isFailure }}
      timestamps="clock"
      startsAtEnd
      showsOrigin={origins.size > 0 && origin === undefined}
      empty={emptyLabel()}
      tools={
        <>
          <OriginChoice origins={origins} value={origin} onChange={filter.setOrigin} />
          <div className="ml-auto flex items-center gap-1">
            <LogTool
              label="Wrap"
              Icon={WrapText}
              aria-pressed={wrap}
              onClick={() => changeSettings({ log_wrap: !wrap })}
            />
            <LogTool
              label="Download"
              Icon={Download}
              onClick={() =>
                saveFile(new Blob([formatLog(store, true)], { type: 'text/plain' }), `${id}.log`)
              }
            />
            <CopyButton text={() => formatLog(store, true)} label="Copy log" />
          </div>
        </>
      }
      status={
        <LogBar
          store={store}
          state={<LogState state={queued ? { kind: 'waiting' } : state} />}
          more={
            droppedLines > 0
              ? ` (${formatLineCount(droppedLines, 'line', 'lines')} dropped from the middle)`
              : ''
          }
        />
      }
    />
  )
}

const dialogLogClasses =
  'min-h-64 rounded-md max-sm:min-h-80 max-sm:flex-1 sm:h-[min(28rem,45dvh)] sm:shrink-0'

function useDeploymentLog(id: string) {
  const [store] = useState(() => createLogStore())
  const [state, setState] = useState<FeedState>({ kind: 'connecting' })
  const [origins, setOrigins] = useState<ReadonlySet<OutputOrigin>>(new Set())
  useEffect(
    () =>
      openOutputFeed(id, store, setState, (origin) =>
        setOrigins((before) => (before.has(origin) ? before : new Set([...before, origin]))),
      ),
    [id, store],
  )
  return { store, state, origins }
}

const key = 'GET /v1/deployments/{id}/logs'
type OutputEvent = Reply<Api[typeof key]>

function openOutputFeed(
  id: string,
  store: LogStore,
  onState: (state: FeedState) => void,
  onOrigin: (origin: OutputOrigin) => void,
): () => void {
  const { split, rest } = createLineSplitter()
  const add = (lines: ReturnType<typeof split>) => store.add(lines.map(toLogLine))
  let last = 0

  function handleEvent(event: OutputEvent, position: number) {
    if (event.type === 'end') {
      stop()
      add(rest())
      onState({ kind: 'over' })
    }
    // A resumed stream may start over, so skip known pieces.
    if (event.type !== 'output' || position <= last) return
    // Pieces are numbered consecutively, so a gap means dropped output.
    if (position > last + 1)
      store.add([{ kind: 'note', text: 'Some lines were dropped because the log exceeded its size limit.' }])
    last = position
    if (event.origin) onOrigin(event.origin)
    add(split(event))
  }

  const stop = followStream(
    (token) => fillPath(key.slice('GET '.length), { params: { id }, query: { token } }),
    {
      onOpen: () => onState({ kind: 'live' }),
      onLost: () => onState({ kind: 'lost' }),
      // oxlint-disable-next-line no-unsafe-type-assertion -- the server sends only events of this schema
      onMessage: (message, position) => handleEvent(message as OutputEvent, outputPosition(position)),
    },
  )
  return stop
}
