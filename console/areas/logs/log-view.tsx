import { type SubmitEvent, useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useSettings } from '../../lib/local-settings.ts'
import { useDialog } from '../../lib/use-dialog.ts'
import type { FeedState } from './feed/log-feed.ts'
import { LevelsMenu } from './search/levels-menu.tsx'
import { dayAndTime, fieldTime } from './format-line.ts'
import { LogFrame } from './log-frame.tsx'
import type { LogLinesHandle } from './log-lines.tsx'
import { LogStatus } from './log-status.tsx'
import type { LogStore } from './feed/log-store.ts'
import { LogTools } from './log-tools.tsx'
import { useLogFilter } from './search/use-log-filter.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogFooter } from '../../ui/dialog.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'

export interface LogViewProps {
  label: string
  store: LogStore
  state: FeedState
  /** Start time, or '' to start with the last `tail` lines. */
  since: string
  tail: number
  onSince: (since: string) => void
  place: string | undefined
  /** Receives the time of the first visible line, unless the view follows the end. */
  onEarlier: (place: string | undefined) => void
  /** `onReconnect` is undefined for logs that cannot continue, such as saved logs. */
  onReconnect?: (() => void) | undefined
  onDownload: (range: { since: string; until: string } | undefined) => void
}

export function LogView(props: LogViewProps) {
  const { label, store, state, since, tail, place, onSince, onEarlier, onReconnect, onDownload } = props
  const { log_timestamps: timestamps } = useSettings()
  const filter = useLogFilter()
  const paused = usePaused(store)
  const { dialog, open, close } = useDialog()
  const lines = useRef<LogLinesHandle>(null)
  const show = useCallback((number: number) => lines.current?.show(number), [])
  useScrollToTime(store, place, show)

  function earlier() {
    const { top = 0, follows = true } = lines.current?.inSight() ?? {}
    const line = store.get(top)
    onEarlier(!follows && line?.kind === 'line' ? line.at : undefined)
  }

  function download(which: 'shown' | 'all') {
    onDownload(which === 'all' ? undefined : rangeOf(store))
  }

  return (
    <LogFrame
      label={label}
      wide
      className="min-h-96 flex-1 rounded-lg"
      {...{ lines, store, filter }}
      timestamps={timestamps ? 'links' : 'none'}
      startsAtEnd={since === ''}
      empty={emptyText(state, since, filter.criteria.levels !== undefined || filter.only)}
      onTime={onSince}
      tools={
        <>
          <LevelsMenu criteria={filter.criteria} setLevels={filter.setLevels} />
          <LogTools
            crowded={filter.q !== ''}
            paused={paused}
            onPause={store.pause}
            onResume={store.resume}
            onJump={() => open('jump-to-time')}
            onDownload={download}
            onClear={store.clear}
          />
        </>
      }
      status={
        <LogStatus
          {...{ store, state, since, tail, onReconnect }}
          onEarlier={earlier}
          onLive={() => onSince('')}
        />
      }
      dialogs={dialog === 'jump-to-time' && <JumpDialog since={since} onJump={onSince} onClose={close} />}
    />
  )
}

function emptyText(state: FeedState, since: string, filtered: boolean): string {
  if (filtered) return 'No matching lines'
  if (state.kind === 'connecting') return 'Loading…'
  if (state.kind !== 'live') return ''
  if (since !== '') return `No log lines since ${dayAndTime(since)}`
  return 'No log lines yet'
}

const usePaused = (store: LogStore) => useSyncExternalStore(store.subscribe, () => store.paused)

function rangeOf(store: LogStore): { since: string; until: string } | undefined {
  const times = function* (from: number, by: 1 | -1) {
    for (let number = from; number >= store.first && number < store.end; number += by) {
      const entry = store.get(number)
      if (entry?.kind === 'line' && entry.at !== undefined) yield entry.at
    }
  }
  const since = times(store.first, 1).next().value
  const until = times(store.end - 1, -1).next().value
  return since && until ? { since, until } : undefined
}

/** Scrolls to the first line at or after `at` once it is loaded. */
function useScrollToTime(store: LogStore, at: string | undefined, show: (number: number) => void) {
  useEffect(() => {
    if (at === undefined) return undefined
    let next = store.first
    const forget = store.subscribe(() => {
      for (; next < store.end; next++) {
        const entry = store.get(next)
        if (entry?.kind !== 'line' || entry.at === undefined || entry.at < at) continue
        forget()
        show(next)
        return
      }
    })
    return forget
  }, [store, at, show])
}

const minute = 60_000
const ago = [
  { label: '15 minutes ago', milliseconds: 15 * minute },
  { label: '1 hour ago', milliseconds: 60 * minute },
  { label: '24 hours ago', milliseconds: 24 * 60 * minute },
]

interface JumpDialogProps {
  since: string
  onJump: (since: string) => void
  onClose: () => void
}

function JumpDialog({ since, onJump, onClose }: JumpDialogProps) {
  const [first] = useState(() => {
    const known = Date.parse(since)
    return fieldTime(new Date(Number.isNaN(known) ? Date.now() - 60 * minute : known))
  })
  const jump = (then: Date) => onJump(then.toISOString())

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const typed = new FormData(event.currentTarget).get('time')
    if (typeof typed === 'string' && typed !== '') jump(new Date(typed))
  }

  return (
    <Dialog open onOpenChange={onClose} title="Jump to time">
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label="Show lines from" help="Local time.">
          <Input type="datetime-local" name="time" step={1} required defaultValue={first} />
        </Field>
        <div className="flex flex-wrap gap-2">
          {ago.map(({ label, milliseconds }) => (
            <Button key={label} size="small" onClick={() => jump(new Date(Date.now() - milliseconds))}>
              {label}
            </Button>
          ))}
        </div>
        <DialogFooter>Jump</DialogFooter>
      </form>
    </Dialog>
  )
}
