import { Badge } from '../../ui/badge.tsx'
import { lookOf } from './channel-words.ts'
import type { Notification } from './queries.ts'

export function ChannelBadge({ channel }: { channel: Pick<Notification, 'state' | 'last_sent_at'> }) {
  const { tone, word } = lookOf(channel)
  return <Badge tone={tone}>{word}</Badge>
}
