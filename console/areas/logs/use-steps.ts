import { type RefObject, useState } from 'react'
import type { LogLinesHandle } from './log-lines.tsx'
import { type Sieve, hitAfter } from './sieve.ts'

/** Goes from one line in which something stands to the next. */
export function useSteps(lines: RefObject<LogLinesHandle | null>, sieve: Sieve) {
  const [current, setCurrent] = useState<number>()

  function step(by: 1 | -1) {
    // The first time, one that is in sight.
    const { top = 0, bottom = 0 } = lines.current?.inSight() ?? {}
    const to = hitAfter(sieve.hits, current ?? (by === 1 ? top - 1 : bottom + 1), by)
    if (to === undefined) return
    setCurrent(to)
    lines.current?.show(to)
  }

  return { current, step }
}
