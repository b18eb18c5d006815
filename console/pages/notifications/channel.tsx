import { useQuery } from '@tanstack/react-query'
import { Navigate, Route, Routes } from 'react-router'
import { roleAllows } from '../../../contract/shared/permissions.ts'
import {
  type Channel,
  channelQuery,
  channelTypesQuery,
  useTestChannel,
} from '../../areas/notifications/queries.ts'
import { ChannelBadge, ChannelFacts } from '../../areas/notifications/channel-facts.tsx'
import {
  ChannelMenu,
  DeleteChannelDialog,
  TestButton,
  TestResult,
} from '../../areas/notifications/channel-actions.tsx'
import { ChannelNotice } from '../../areas/notifications/channel-notice.tsx'
import { EventsCard } from '../../areas/notifications/events-card.tsx'
import { FiringOffer } from '../../areas/notifications/firing-offer.tsx'
import { MessageHistoryCard } from '../../areas/notifications/message-history-card.tsx'
import { ChannelSettingsCard } from '../../areas/notifications/settings-card.tsx'
import { useWorkspace } from '../../areas/workspaces/queries.ts'
import { isNotFound } from '../../lib/http/api-error.ts'
import { useDialog } from '../../lib/use-dialog.ts'
import { useTitle } from '../../lib/use-title.ts'
import { alertsPath, channelPath } from '../../paths.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { NotAllowed, ResourceFallback } from '../page-fallback.tsx'

export function ChannelPage({ id }: { id: string }) {
  const query = useQuery(channelQuery(id))
  const channel = query.data
  const title = channel?.name ?? 'Channel'
  useTitle(title)
  // Keep showing the last known state while requests fail.
  if (!channel || isNotFound(query.error)) return <ResourceFallback {...{ title, parents, query, words }} />
  return <Shown channel={channel} />
}

function Shown({ channel }: { channel: Channel }) {
  const { id, name } = channel
  const manages = roleAllows(useWorkspace().role, 'notifications.manage')
  const { dialog, open, close } = useDialog()
  const test = useTestChannel(id)
  return (
    <>
      <PageHeader
        title={name}
        parents={parents}
        badge={<ChannelBadge channel={channel} />}
        action={manages && <TestButton test={test} />}
        menu={manages && <ChannelMenu channel={channel} onDelete={() => open('delete')} />}
      />
      <ChannelNotice channel={channel} manages={manages} />
      {manages && <FiringOffer key={`${id} ${channel.enabled}`} channel={channel} />}
      <TestResult test={test} />
      {manages && (
        <Tabs
          label="Channel"
          tabs={[
            { to: channelPath(id), label: 'Overview', end: true },
            { to: channelPath(id, 'settings'), label: 'Settings' },
          ]}
        />
      )}
      <Routes>
        <Route
          path=":id"
          element={
            <>
              <ChannelFacts channel={channel} />
              <MessageHistoryCard id={id} manages={manages} />
            </>
          }
        />
        <Route
          path=":id/settings"
          element={manages ? <Settings channel={channel} /> : <NotAllowed needs="notifications.manage" />}
        />
        <Route path="*" element={<Navigate to={channelPath(id)} replace />} />
      </Routes>
      {manages && dialog === 'delete' && <DeleteChannelDialog channel={channel} onClose={close} />}
    </>
  )
}

/** Settings of a channel. Without the channel types, only the name can change. */
function Settings({ channel }: { channel: Channel }) {
  const { data, isPending } = useQuery(channelTypesQuery)
  if (isPending) return <Skeleton className="h-72 w-full rounded-lg!" />
  return (
    <>
      <ChannelSettingsCard channel={channel} type={data?.types.find(({ type }) => type === channel.type)} />
      {data && <EventsCard channel={channel} groups={data.events} />}
    </>
  )
}

const parents = [{ label: 'Alerts', to: alertsPath('channels') }]
const words = {
  gone: 'Channel not found',
  why: 'The channel was deleted or belongs to another workspace.',
  others: { to: alertsPath('channels'), label: 'All channels' },
  failed: 'Could not load channel',
}
