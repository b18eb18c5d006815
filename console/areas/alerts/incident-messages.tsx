import { channelPath } from '../../paths.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { Time } from '../../ui/time.tsx'
import type { IncidentDetails } from './queries.ts'

type Message = IncidentDetails['messages'][number]

export function IncidentMessages({ incident }: { incident: IncidentDetails }) {
  const { messages } = incident
  return (
    <section aria-labelledby="incident-messages" className="flex flex-col gap-2">
      <h3 id="incident-messages" className="font-semibold">
        Sent notifications
      </h3>
      {messages.length === 0 && <p className="text-muted">{noMessages(incident)}</p>}
      {messages.length > 0 && (
        <ul className="divide-y divide-line rounded-md border border-line">
          {messages.map((message) => (
            <Item key={message.id} message={message} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Item({
  message: { notification, kind, status, created_at: made, sent_at: sent },
}: {
  message: Message
}) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 text-sm">
      <span className="min-w-0 flex-1 wrap-anywhere">
        {kinds[kind]} sent to{' '}
        <TextLink to={channelPath(notification.id)}>
          <bdi>{notification.name}</bdi>
        </TextLink>
      </span>
      <span className="text-muted">
        <Time at={sent ?? made} />
      </span>
      {/* A fixed width aligns the times. */}
      <span className="w-18">
        <Badge tone={statuses[status].tone}>{statuses[status].word}</Badge>
      </span>
    </li>
  )
}

const kinds: Record<Message['kind'], string> = {
  started: 'Alert',
  reminder: 'Reminder',
  over: 'Resolution',
}

const statuses: Record<Message['status'], { tone: Tone; word: string }> = {
  waiting: { tone: 'yellow', word: 'Queued' },
  sent: { tone: 'green', word: 'Sent' },
  failed: { tone: 'red', word: 'Failed' },
}

function noMessages({ state, notified_at: notified }: IncidentDetails): string {
  if (state === 'pending') return 'None yet. The condition has not lasted long enough.'
  if (notified === null && state === 'firing')
    return 'None yet. The alert is muted, in a maintenance window or in its cooldown.'
  if (notified === null) return 'None sent. The alert was muted, in a maintenance window or in its cooldown.'
  return 'None sent. No channel receives this alert.'
}
