import type { Tone } from '../../ui/badge.tsx'
import type { Message, EventGroup, Notification } from './queries.ts'
import { formatCount } from '../../../contract/shared/format-list.ts'

interface BadgeProps {
  tone: Tone
  word: string
}

const stateLooks: Record<Notification['state'], BadgeProps> = {
  ok: { tone: 'green', word: 'Working' },
  failing: { tone: 'yellow', word: 'Failing' },
  paused: { tone: 'red', word: 'Paused' },
  off: { tone: 'neutral', word: 'Off' },
}

/** Returns the badge of a channel. A channel that has sent nothing yet may not work, so its badge is not green. */
export const channelBadge = ({
  state,
  last_sent_at: last,
}: Pick<Notification, 'state' | 'last_sent_at'>): BadgeProps =>
  state === 'ok' && last === null ? { tone: 'neutral', word: 'Not used yet' } : stateLooks[state]

export const messageBadges: Record<Message['status'], BadgeProps> = {
  waiting: { tone: 'yellow', word: 'Queued' },
  sent: { tone: 'green', word: 'Sent' },
  failed: { tone: 'red', word: 'Failed' },
}

const kindLabels: Record<Message['kind'], string | null> = {
  started: 'Triggered',
  reminder: 'Reminder',
  over: 'Resolved',
  happened: null,
  test: 'Test',
}

/** Returns the kind of a message, or null if the title of the message already tells it. */
export const messageKindLabel = ({ kind }: Pick<Message, 'kind'>) => kindLabels[kind]

export function queuedText(queued: number): string | null {
  if (queued === 0) return null
  return `${formatCount(queued, 'message')} queued.`
}

export function formatEvents(events: readonly string[], groups: readonly EventGroup[]): string {
  if (events.length === 0) return 'None'
  const parts = groups.flatMap(({ label, events: all }) => {
    const chosen = all.filter(({ event }) => events.includes(event)).length
    if (chosen === 0) return []
    return [chosen === all.length ? label : `${label} (${chosen} of ${all.length})`]
  })
  // The names of the groups come with the channel types. If these failed to load, show the number of events.
  if (parts.length > 0) return parts.join(', ')
  return formatCount(events.length, 'event type')
}
