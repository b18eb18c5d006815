import type { Tone } from '../../ui/badge.tsx'
import type { Delivery } from './queries.ts'

type Status = Delivery['status']

const looks: Record<Status, { tone: Tone; word: string }> = {
  waiting: { tone: 'yellow', word: 'Waiting' },
  deployed: { tone: 'green', word: 'Deployed' },
  ignored: { tone: 'neutral', word: 'Ignored' },
  failed: { tone: 'red', word: 'Failed' },
}

export const statusLook = (status: Status) => looks[status]

/** "Push to main" */
export function whatCame({ hook, event, ref }: Pick<Delivery, 'hook' | 'event' | 'ref'>): string {
  if (hook === 'deploy') return 'Deploy hook'
  const kind = sentenceCase(event)
  return ref === null ? kind : `${kind} to ${ref.replace(/^refs\/(?:heads|tags)\//, '')}`
}

/** `installation_repositories`, as people say it. */
const sentenceCase = (event: string) => event.charAt(0).toUpperCase() + event.slice(1).replaceAll('_', ' ')

/** What became of it, as one sentence; of several, how many more there are. */
export function whatBecame({ status, outcomes }: Pick<Delivery, 'status' | 'outcomes'>): string {
  const [first, ...more] = outcomes
  if (!first) return status === 'waiting' ? 'Nobody has looked at it yet.' : 'It is about no application.'
  const says = first.application ? `${first.application.name}: ${first.says}` : first.says
  return more.length === 0 ? says : `${says} And ${more.length} more.`
}
