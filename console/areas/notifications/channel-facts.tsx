import { useQuery } from '@tanstack/react-query'
import { Card } from '../../ui/card.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { DateTime, Time } from '../../ui/time.tsx'
import { formatEvents } from './channel-texts.ts'
import { type Channel, type ChannelField, channelTypesQuery } from './queries.ts'
import { TypeName } from './type-name.tsx'
import { formatCount } from '../../../contract/shared/format-list.ts'

export function ChannelFacts({ channel }: { channel: Channel }) {
  const { data } = useQuery(channelTypesQuery)
  const { type, events, queued, last_sent_at: last, created_at: added } = channel
  const fields = data?.types.find((one) => one.type === type)?.fields ?? []
  return (
    <Card title="About">
      <DefinitionList
        items={[
          { term: 'Type', value: <TypeName type={type} /> },
          ...fields.flatMap((field) => settingFact(field, channel.settings[field.name])),
          { term: 'Events', value: formatEvents(events, data?.events ?? []) },
          { term: 'Last message', value: last === null ? 'None yet' : <Time at={last} /> },
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

/** Null is a stored secret; empty settings are omitted. */
function settingFact({ label, type, choices }: ChannelField, value: string | null | undefined) {
  if (value === undefined || value === '') return []
  if (value === null) return [{ term: label, value: <span className="text-muted">•••••••</span> }]
  const shown = choices.find((choice) => choice.value === value)?.label ?? value
  return [{ term: label, value: type === 'url' ? <span className="font-mono text-sm">{shown}</span> : shown }]
}
