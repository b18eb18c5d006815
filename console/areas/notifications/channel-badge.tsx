import { Badge } from '../../ui/badge.tsx'
import { channelBadge } from './channel-texts.ts'
import type { Notification } from './queries.ts'

export function ChannelBadge({ channel }: { channel: Pick<Notification, 'state' | 'last_sent_at'> }) {
  const { tone, word } = channelBadge(channel)
  return <Badge tone={tone}>{word}</Badge>
}
