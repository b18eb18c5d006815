import type { Tone } from '../../ui/badge.tsx'
import type { Delivery } from './queries.ts'

type Outcome = Delivery['outcomes'][number]

interface BadgeProps {
  tone: Tone
  word: string
}

const looks: Record<Delivery['status'], BadgeProps> = {
  waiting: { tone: 'yellow', word: 'Waiting' },
  deployed: { tone: 'green', word: 'Deployed' },
  ignored: { tone: 'neutral', word: 'Ignored' },
  failed: { tone: 'red', word: 'Failed' },
}

const deployments = {
  failed: { tone: 'red', word: 'Deployment failed' },
  running: { tone: 'yellow', word: 'Deploying…' },
  queued: { tone: 'yellow', word: 'Queued' },
  completed: looks.deployed,
  cancelled: { tone: 'neutral', word: 'Canceled' },
} as const satisfies Record<NonNullable<Outcome['deployment_status']>, BadgeProps>

/** Badge of an account event, which deploys nothing. */
const noted: BadgeProps = { tone: 'neutral', word: 'Processed' }

export const outcomeBadge = ({ status, deployment_status: of }: Outcome) =>
  of === null ? looks[status] : deployments[of]

export function deliveryBadge({
  hook,
  event,
  status,
  outcomes,
}: Pick<Delivery, 'hook' | 'event' | 'status' | 'outcomes'>): BadgeProps {
  if (status === 'ignored' && hook === 'github' && /^(?:installation|repository)/.test(event)) return noted
  if (status !== 'deployed') return looks[status]
  const all = Object.values(deployments)
  const badges = outcomes.filter((outcome) => outcome.status === 'deployed').map(outcomeBadge)
  return all.find((look) => badges.includes(look)) ?? looks.deployed
}

type ReceivedEvent = Pick<Delivery, 'hook' | 'event' | 'ref' | 'is_tag' | 'sha'>

export function describeEvent({ hook, event, ref, is_tag: isTag, sha }: ReceivedEvent): string {
  if (hook === 'deploy') return 'Deploy hook'
  const kind = sentenceCase(event)
  if (ref === null) return kind
  if (event === 'push' && isEmptySha(sha)) return `${ref} deleted`
  return isTag ? `Tag ${ref}` : `${kind} to ${ref}`
}

/** Returns whether the ref was deleted. GitHub then sends a SHA of zeros. */
export const isEmptySha = (sha: string | null) => sha === null || /^0+$/.test(sha)

const sentenceCase = (event: string) => event.charAt(0).toUpperCase() + event.slice(1).replaceAll('_', ' ')

export function describeOutcome({ status, outcomes }: Pick<Delivery, 'status' | 'outcomes'>): string {
  const [first, ...more] = outcomes
  if (!first) return status === 'waiting' ? 'Not processed yet.' : 'No applications affected.'
  const summary = first.application ? `${first.application.name}: ${first.summary}` : first.summary
  return more.length === 0 ? summary : `${summary} And ${more.length} more.`
}

export function prettyPrintJson(payload: string): string {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2)
  } catch {
    return payload
  }
}
