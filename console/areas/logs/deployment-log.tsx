import { Download, WrapText } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { saveFile } from '../../lib/save-file.ts'
import { changeSettings, useSettings } from '../../lib/settings.ts'
import { Copy } from '../../ui/copy.tsx'
import { counted } from './counted.ts'
import type { FeedState } from './feed.ts'
import { LogBar } from './log-bar.tsx'
import { LogFrame } from './log-frame.tsx'
import type { LogLinesHandle } from './log-lines.tsx'
import { LogState } from './log-state.tsx'
import { createLogStore } from './log-store.ts'
import { LogTool } from './log-tool.tsx'
import { openOutputFeed } from './output-feed.ts'
import { textOf } from './text-of.ts'
import { useLogFilter } from './use-log-filter.ts'

interface DeploymentLogProps {
  id: string
  /** "Log of the deployment" */
  label: string
  /** How many of its lines were too many to keep. */
  cut: number
  /** It has not begun: there is nothing to follow yet. */
  waits: boolean
  /** More may come. */
  goesOn: boolean
  /** Stands there where it has said nothing. */
  silent: string
}

/** What a deployment says, as it says it. Give it the deployment's id as a key. */
export function DeploymentLog({ id, label, cut, waits, goesOn, silent }: DeploymentLogProps) {
  const { log_wrap: wrap } = useSettings()
  const { store, state } = useDeploymentLog(id)
  const filter = useLogFilter()
  const lines = useRef<LogLinesHandle>(null)
  return (
    <LogFrame
      label={label}
      look="min-h-64 rounded-md max-sm:min-h-80 max-sm:flex-1 sm:h-[min(28rem,45dvh)] sm:shrink-0"
      {...{ lines, store, filter }}
      timestamps="clock"
      startsAtEnd
      empty={goesOn || state.kind === 'over' ? silent : 'Loading…'}
      tools={
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
      }
      status={
        <LogBar
          store={store}
          state={<LogState state={waits ? { kind: 'waiting' } : state} />}
          more={cut > 0 ? `; ${counted(cut, 'line', 'lines')} in the middle were too many to keep` : ''}
        />
      }
    />
  )
}

function useDeploymentLog(id: string) {
  const [store] = useState(() => createLogStore())
  const [state, setState] = useState<FeedState>({ kind: 'connecting' })
  useEffect(() => openOutputFeed(id, store, setState), [id, store])
  return { store, state }
}
