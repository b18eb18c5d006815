import { Badge } from './badge.tsx'
import { Time } from './time.tsx'

interface CheckedStateProps {
  /** Reason of the last failed check. */
  error: string | null
  at: string | null
  words: { refused: string; untried: string }
}

/** Shows whether credentials are valid and when they were last checked. */
export function CheckedState({ error, at, words }: CheckedStateProps) {
  if (error !== null)
    return (
      <span className="flex flex-col items-start gap-1 py-2 max-sm:items-end max-sm:py-0">
        <Badge tone="red">{words.refused}</Badge>
        <span className="text-sm wrap-anywhere text-muted">{error}</span>
      </span>
    )
  if (at === null) return <Badge tone="neutral">{words.untried}</Badge>
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <Badge tone="green">Works</Badge>
      <span className="text-sm text-muted">
        <Time at={at} />
      </span>
    </span>
  )
}
