import { useSyncExternalStore } from 'react'
import { formatElapsed } from '../../ui/format/elapsed.ts'

/** Shows a duration, counting up until it ends. */
export function DeploymentDuration({ from, to }: { from: string | null; to: string | null }) {
  const now = useSyncExternalStore(from !== null && to === null ? everySecond : never, wholeSecond)
  return (
    <span className="whitespace-nowrap tabular-nums">
      {from === null ? '–' : formatElapsed(from, to ?? new Date(now).toISOString())}
    </span>
  )
}

function everySecond(listener: () => void) {
  const timer = setInterval(listener, 1000)
  return () => clearInterval(timer)
}

const never = () => () => undefined

const wholeSecond = () => Math.floor(Date.now() / 1000) * 1000
