import { AddressText } from '../../lib/address.tsx'
import { useQuery } from '@tanstack/react-query'
import { Card } from '../../ui/card.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { DateTime, Time } from '../../ui/time.tsx'
import { channelBadge, formatEvents } from './channel-texts.ts'
import { type Channel, type ChannelField, channelTypesQuery, type Notification } from './queries.ts'
import { formatCount } from '../../../contract/shared/format-list.ts'
import { Badge } from '../../ui/badge.tsx'
import {
  BellRing,
  Hash,
  type LucideIcon,
  Mail,
  MessagesSquare,
  Radio,
  Send,
  Smartphone,
  Users,
  Webhook,
} from 'lucide-react'
import { createElement } from 'react'
import { BrandMark } from '../../ui/brand/brand-logo.tsx'

export function ChannelFacts({ channel }: { channel: Channel }) {
  const { data, isPending } = useQuery(channelTypesQuery)
  const { type, events, queued, last_sent_at: last, created_at: added } = channel
  const fields = data?.types.find((known) => known.type === type)?.fields ?? []
  // The names of the settings come with the channel types, so wait for them.
  if (isPending)
    return (
      <Card title="About">
        <Skeleton className="h-48" />
      </Card>
    )
  return (
    <Card title="About">
      <DefinitionList
        items={[
          { term: 'Type', value: <TypeName type={type} /> },
          ...fields.flatMap((field) => settingFact(field, channel.settings[field.name])),
          { term: 'Events', value: formatEvents(events, data?.events ?? []) },
          { term: 'Last message', value: last === null ? 'None' : <Time at={last} /> },
          {
            term: 'Queue',
            value: queued === 0 ? 'Empty' : formatCount(queued, 'message'),
          },
          { term: 'Added', value: <DateTime at={added} /> },
        ]}
      />
    </Card>
  )
}

/** Returns a setting as a fact. Null stands for a stored secret; empty settings are omitted. */
function settingFact({ label, type, choices }: ChannelField, value: string | null | undefined) {
  if (value === undefined || value === '') return []
  if (value === null) return [{ term: label, value: <span className="text-muted">•••••••</span> }]
  const shown = choices.find((choice) => choice.value === value)?.label ?? value
  return [
    {
      term: label,
      value:
        type === 'url' ? (
          <span className="font-mono text-sm">
            <AddressText revealable>{shown}</AddressText>
          </span>
        ) : (
          shown
        ),
    },
  ]
}

export function ChannelBadge({ channel }: { channel: Pick<Notification, 'state' | 'last_sent_at'> }) {
  const { tone, word } = channelBadge(channel)
  return <Badge tone={tone}>{word}</Badge>
}

/** Name of a channel type, or its identifier if the types could not be loaded. */
export function TypeName({ type }: { type: string }) {
  const { data } = useQuery(channelTypesQuery)
  return (
    <span className="flex items-center gap-2">
      <TypeIcon type={type} className="size-4 shrink-0 text-muted" />
      {data?.types.find((known) => known.type === type)?.name ?? type}
    </span>
  )
}

const icons = new Map<string, LucideIcon>([
  ['email', Mail],
  ['slack', Hash],
  ['discord', MessagesSquare],
  ['telegram', Send],
  ['teams', Users],
  ['ntfy', BellRing],
  ['pushover', Smartphone],
  ['webhook', Webhook],
])

/** Icon of a channel type. Unknown types have a generic icon. */
export const TypeIcon = ({ type, className }: { type: string; className: string }) => (
  <BrandMark
    names={[type]}
    className={className}
    fallback={createElement(icons.get(type) ?? Radio, { className, 'aria-hidden': true })}
  />
)
