import type { Tone } from '../../ui/badge.tsx'
import type { Delivery } from './queries.ts'

type Outcome = Delivery['outcomes'][number]

interface Look {
  tone: Tone
  word: string
}

const looks: Record<Delivery['status'], Look> = {
  waiting: { tone: 'yellow', word: 'Waiting' },
  deployed: { tone: 'green', word: 'Deployed' },
  ignored: { tone: 'neutral', word: 'Ignored' },
  failed: { tone: 'red', word: 'Failed' },
}

/** How far the deployment is that it asked for: the one that most needs somebody's eye first. */
const deployments = {
  failed: { tone: 'red', word: 'Deploy failed' },
  running: { tone: 'yellow', word: 'Deploying…' },
  queued: { tone: 'yellow', word: 'Queued' },
  completed: looks.deployed,
  cancelled: { tone: 'neutral', word: 'Cancelled' },
} as const satisfies Record<NonNullable<Outcome['deployment_status']>, Look>

/** It changed what is known of an account, and deploys nothing. */
const noted: Look = { tone: 'neutral', word: 'Noted' }

export const outcomeLook = ({ status, deployment_status: of }: Outcome) =>
  of === null ? looks[status] : deployments[of]

/** What became of it altogether. */
export function deliveryLook({
  hook,
  event,
  status,
  outcomes,
}: Pick<Delivery, 'hook' | 'event' | 'status' | 'outcomes'>): Look {
  if (status === 'ignored' && hook === 'github' && /^(?:installation|repository)/.test(event)) return noted
  if (status !== 'deployed') return looks[status]
  const all = Object.values(deployments)
  const found = outcomes.filter((one) => one.status === 'deployed').map(outcomeLook)
  return all.find((look) => found.includes(look)) ?? looks.deployed
}

type Came = Pick<Delivery, 'hook' | 'event' | 'ref' | 'is_tag' | 'sha'>

/** "Push to main", "Tag v1" */
export function whatCame({ hook, event, ref, is_tag: isTag, sha }: Came): string {
  if (hook === 'deploy') return 'Deploy hook'
  const kind = sentenceCase(event)
  if (ref === null) return kind
  if (event === 'push' && isNothing(sha)) return `${ref} deleted`
  return isTag ? `Tag ${ref}` : `${kind} to ${ref}`
}

/** As GitHub names the commit of what is gone. */
export const isNothing = (sha: string | null) => sha === null || /^0+$/.test(sha)

/** `installation_repositories`, as people say it. */
const sentenceCase = (event: string) => event.charAt(0).toUpperCase() + event.slice(1).replaceAll('_', ' ')

/** What became of it, as one sentence; of several, how many more there are. */
export function whatBecame({ status, outcomes }: Pick<Delivery, 'status' | 'outcomes'>): string {
  const [first, ...more] = outcomes
  if (!first) return status === 'waiting' ? 'Nobody has looked at it yet.' : 'It is about no application.'
  const says = first.application ? `${first.application.name}: ${first.says}` : first.says
  return more.length === 0 ? says : `${says} And ${more.length} more.`
}

/** JSON as people read it; anything else as it came. */
export function readable(payload: string): string {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2)
  } catch {
    return payload
  }
}
