import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Plus, Send } from 'lucide-react'
import { useNavigate } from 'react-router'
import { useDialog } from '../../lib/use-dialog.ts'
import { useAllPages } from '../../lib/http/paging.ts'
import { useParam } from '../../lib/use-param.ts'
import { channelPath } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { byText, byTime } from '../../ui/table/sort.ts'
import type { Column } from '../../ui/table/table.tsx'
import { Time } from '../../ui/time.tsx'
import { ChannelBadge, TypeName } from './channel-facts.tsx'
import { queuedText } from './channel-texts.ts'
import { type Notification, notificationsQuery, channelTypesQuery } from './queries.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { NewChannelForm, TypeList } from './new-channel-form.tsx'
import { QueryTable } from '../../ui/table/query-table.tsx'
import { AddressSpan } from '../../lib/address.tsx'

export function ChannelsCard({ manages }: { manages: boolean }) {
  const query = useInfiniteQuery(notificationsQuery(''))
  useAllPages(query, true)
  const [sort, setSort] = useParam('sort')
  const { open } = useDialog()
  const navigate = useNavigate()
  const none = query.data?.length === 0
  const add = manages && (
    <Button variant={none ? 'primary' : 'secondary'} onClick={() => open('new-channel')}>
      <Plus aria-hidden />
      Add channel
    </Button>
  )
  return (
    <Card
      title="Channels"
      description="Destinations for alerts and other notifications of this workspace."
      action={!none && add}
      flush
    >
      <QueryTable
        label="Channels"
        things="channels"
        query={query}
        empty={{
          icon: Send,
          title: 'No channels yet',
          text: `Get notified by email, chat, phone or webhook.${manages ? '' : ' Ask a workspace admin to add a channel.'}`,
          action: add,
        }}
        columns={columns}
        rowKey={({ id }) => id}
        href={({ id }) => channelPath(id)}
        skeletonRows={2}
        sort={{ value: sort, onChange: setSort, partial: query.hasNextPage }}
      />
      {manages && <NewChannelDialog onMade={(id) => void navigate(channelPath(id), { replace: true })} />}
    </Card>
  )
}

const columns: [Column<Notification>, ...Column<Notification>[]] = [
  { head: 'Channel', cell: ({ name }) => <bdi>{name}</bdi>, sort: byText(({ name }) => name) },
  {
    head: 'Type',
    cell: ({ type }) => <TypeName type={type} />,
    sort: byText(({ type }) => type),
    phone: 'second',
  },
  {
    head: 'State',
    cell: (channel) => <State channel={channel} />,
    sort: byText(({ state }) => state),
    phone: 'first-end',
  },
  {
    head: 'Last message',
    cell: ({ last_sent_at: at }) => (at === null ? 'None yet' : <Time at={at} />),
    narrow: true,
    phone: 'second-end',
    sort: byTime(({ last_sent_at: at, created_at: made }) => at ?? made),
  },
]

function State({ channel }: { channel: Notification }) {
  const { state, reason, queued } = channel
  // The response of a receiver may lack a full stop, so join the parts with a dot.
  const details = [reason, queuedText(queued)].filter(Boolean).join(' · ')
  return (
    <span className="flex flex-col items-start gap-1 py-2 max-sm:items-end max-sm:py-0">
      <ChannelBadge channel={channel} />
      {state !== 'ok' && details !== '' && (
        <AddressSpan className="line-clamp-2 wrap-anywhere text-muted max-sm:hidden">{details}</AddressSpan>
      )}
    </span>
  )
}

const dialogName = 'new-channel'

/** Dialog with two steps, type and settings. The URL stores the step. */
function NewChannelDialog({ onMade }: { onMade: (id: string) => void }) {
  const { dialog, open, close } = useDialog()
  const { data } = useQuery(channelTypesQuery)
  if (dialog !== dialogName && !dialog.startsWith(`${dialogName}-`)) return null
  const requestedType = dialog.slice(dialogName.length + 1)
  const type = data?.types.find((known) => known.type === requestedType && known.available)
  return (
    <Dialog
      open
      wide
      holds={type !== undefined}
      onOpenChange={close}
      title={type ? `New channel: ${type.name}` : 'New channel'}
      description={type ? type.description : 'Choose where to send notifications.'}
    >
      {type && data ? (
        <NewChannelForm
          key={type.type}
          type={type}
          groups={data.events}
          onBack={() => open(dialogName)}
          onMade={onMade}
        />
      ) : (
        <TypeList onPick={(picked) => open(`${dialogName}-${picked}`)} />
      )}
    </Dialog>
  )
}
