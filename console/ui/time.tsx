import { relativeTime } from './format/relative-time.ts'
import { useNow } from './format/use-now.ts'

const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' })

/** Relative time with the exact time on hover. */
export function Time({ at }: { at: string }) {
  const now = useNow()
  const then = new Date(at)
  return (
    <time dateTime={at} title={exact.format(then)} className="whitespace-nowrap">
      {relativeTime(then, new Date(now))}
    </time>
  )
}

/** Date only, for distant times. */
export function Day({ at }: { at: string }) {
  const then = new Date(at)
  return (
    <time dateTime={at} title={exact.format(then)} className="whitespace-nowrap">
      {day.format(then)}
    </time>
  )
}

export const DateTime = ({ at }: { at: string }) => (
  <time dateTime={at} className="whitespace-nowrap">
    {exact.format(new Date(at))}
  </time>
)
