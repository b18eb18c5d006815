import { Fragment, type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { LogViewProps } from './log-view.tsx'
import { maxStored } from './feed/log-store.ts'
import { parseTimeParam } from './format-line.ts'

export type LogRange = Pick<LogViewProps, 'since' | 'tail' | 'place' | 'onSince' | 'onEarlier'>

const fewLines = 1000

export function LogRangeFromUrl({ children }: { children: (request: LogRange) => ReactNode }) {
  const [params, setParams] = useSearchParams()
  const [request, setRequest] = useState<{ times: number; place: string | undefined }>({
    times: 0,
    place: undefined,
  })
  const [since, lines] = [parseTimeParam(params.get('since')), params.get('lines') ?? '']

  function changeRange(change: { since: string } | { lines: 'all' }, place?: string) {
    const after = new URLSearchParams(params)
    for (const name of ['dialog', 'since', 'lines']) after.delete(name)
    for (const [name, value] of Object.entries(change)) if (value !== '') after.set(name, value)
    setRequest({ times: request.times + 1, place })
    setParams(after, { replace: true })
  }

  // Each range is a separate log, so a new key starts over.
  return (
    <Fragment key={`${since} ${lines} ${request.times}`}>
      {children({
        since,
        tail: lines === '' ? fewLines : maxStored.lines,
        onSince: (time) => changeRange({ since: time }),
        place: request.place,
        onEarlier: (place) => changeRange({ lines: 'all' }, place),
      })}
    </Fragment>
  )
}
