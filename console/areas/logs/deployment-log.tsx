import { Download, WrapText } from 'lucide-react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { saveFile } from '../../lib/save-file.ts'
import { changeSettings, useSettings } from '../../lib/settings.ts'
import { Copy } from '../../ui/copy.tsx'
import { counted } from './counted.ts'
import type { FeedState } from './feed.ts'
import type { LogLine } from './log-entry.ts'
import { LogLines, type LogLinesHandle } from './log-lines.tsx'
import { LogSearch } from './log-search.tsx'
import { LogState } from './log-state.tsx'
import { type LogStore, createLogStore } from './log-store.ts'
import { LogTool } from './log-tool.tsx'
import { openOutputFeed } from './output-feed.ts'
import { textOf } from './text-of.ts'
import { useLogFilter } from './use-log-filter.ts'
import { useSieve } from './use-sieve.ts'
import { useSteps } from './use-steps.ts'
import { WholeLine } from './whole-line.tsx'

interface DeploymentLogProps {
  id: string
  /** "Log of the deployment" */
  label: string
  /** How many of its lines were too many to keep. */
  cut: number
  /** More may come. */
  goesOn: boolean
  /** Stands there where it has said nothing. */
  silent: string
}

/** What a deployment says, as it says it. Give it the deployment's id as a key. */
export function DeploymentLog({ id, label, cut, goesOn, silent }: DeploymentLogProps) {
  const { log_wrap: wrap } = useSettings()
  const { store, state } = useDeploymentLog(id)
  const filter = useLogFilter()
  const sieve = useSieve(store, filter.wanted)
  const lines = useRef<LogLinesHandle>(null)
  const { current, step } = useSteps(lines, sieve)
  const [whole, setWhole] = useState<LogLine>()
  return (
    <section
      aria-label={label}
      className="@container/log flex min-h-64 flex-col overflow-hidden rounded-md border border-line max-sm:min-h-80 max-sm:flex-1 sm:h-[min(28rem,45dvh)] sm:shrink-0"
    >
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-line bg-subtle px-2 py-1.5">
        <LogSearch
          filter={filter}
          sieve={sieve}
          current={current}
          onStep={step}
          onLeave={() => lines.current?.focus()}
        />
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
            onClick={() => saveFile(new Blob([textOf(store, true)], { type: 'text/plain' }), `${id}.log`)}
          />
          <Copy text={() => textOf(store, true)} label="Copy the log" />
        </div>
        {sieve.problem !== undefined && (
          <p role="alert" className="w-full px-1 text-sm text-red-ink">
            {sieve.problem}
          </p>
        )}
      </div>
      <LogLines
        ref={lines}
        {...{ label, store, sieve, wrap, current }}
        timestamps="clock"
        onlyHits={filter.only}
        startsAtEnd
        empty={goesOn || state.kind === 'over' ? silent : 'Loading…'}
        onOpen={setWhole}
      />
      <Status store={store} state={state} cut={cut} />
      {whole && <WholeLine line={whole} onClose={() => setWhole(undefined)} />}
    </section>
  )
}

function useDeploymentLog(id: string) {
  const [store] = useState(() => createLogStore())
  const [state, setState] = useState<FeedState>({ kind: 'connecting' })
  useEffect(() => openOutputFeed(id, store, setState), [id, store])
  return { store, state }
}

function Status({ store, state, cut }: { store: LogStore; state: FeedState; cut: number }) {
  useSyncExternalStore(store.subscribe, () => store.version)
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-x-4 gap-y-1 border-t border-line bg-subtle px-3 py-1 text-sm">
      <LogState state={state} />
      <p className="ml-auto text-muted tabular-nums">
        {counted(store.lines, 'line', 'lines')}
        {cut > 0 && `; ${counted(cut, 'line', 'lines')} in the middle were too many to keep`}
      </p>
    </div>
  )
}
