import { useInfiniteQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { Navigate, Route, Routes, useMatch } from 'react-router'
import { roleAllows } from '../../../contract/shared/permissions.ts'
import { NewAlertDialog } from '../../areas/alerts/alert-dialogs.tsx'
import { AlertsCard } from '../../areas/alerts/alerts-card.tsx'
import { FiringCard, IncidentHistoryCard } from '../../areas/alerts/incidents-card.tsx'
import { IncidentDialog } from '../../areas/alerts/incident-dialog.tsx'
import { TypesCard } from '../../areas/notifications/new-channel-form.tsx'
import { ChannelsCard } from '../../areas/notifications/channels-card.tsx'
import { type Notification, notificationsQuery } from '../../areas/notifications/queries.ts'
import { useWorkspace } from '../../areas/workspaces/queries.ts'
import { useDialog } from '../../lib/use-dialog.ts'
import { useTitle } from '../../lib/use-title.ts'
import { alertsPath, newChannelPath, paths } from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Pending } from '../../ui/skeleton.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import type { AlertChoices } from '../../areas/alerts/scope-fields.tsx'
import { applicationsQuery } from '../../areas/applications/queries.ts'
import { containersQuery } from '../../areas/containers/queries.ts'
import { projectsQuery } from '../../areas/projects/queries.ts'
import { serversQuery } from '../../areas/servers/queries.ts'
import type { TypedField } from '../../lib/form/use-form.ts'
import { useAllPages } from '../../lib/http/paging.ts'
import { Combobox } from '../../ui/form/combobox.tsx'
import { Field } from '../../ui/form/field.tsx'

const tabs = [
  { to: paths.notifications, label: 'Firing', end: true },
  { to: alertsPath('alerts'), label: 'Alerts' },
  { to: alertsPath('history'), label: 'History' },
  { to: alertsPath('channels'), label: 'Channels' },
]
const dialogName = 'new-alert'

export function AlertsPage() {
  useTitle('Alerts')
  const { role } = useWorkspace()
  const manages = roleAllows(role, 'alerts.manage')
  const { dialog, open, close } = useDialog()
  const showsChannels = useMatch(alertsPath('channels')) !== null
  const action = manages && (
    <Button variant="primary" onClick={() => open(dialogName)}>
      <Plus aria-hidden />
      New alert
    </Button>
  )
  return (
    <>
      <PageHeader title="Alerts" action={!showsChannels && action} />
      <Tabs label="Alerts" tabs={tabs} />
      {!showsChannels && <NoChannelsNotice adds={roleAllows(role, 'notifications.manage')} />}
      <Routes>
        <Route index element={<FiringCard manages={manages} />} />
        <Route path="alerts" element={<Alerts manages={manages} />} />
        <Route path="history" element={<IncidentHistoryCard />} />
        <Route path="channels" element={<Channels manages={roleAllows(role, 'notifications.manage')} />} />
        <Route path="*" element={<Navigate to={paths.notifications} replace />} />
      </Routes>
      <IncidentDialog manages={manages} />
      {manages && dialog === dialogName && <NewAlert onClose={close} />}
    </>
  )
}

const Alerts = ({ manages }: { manages: boolean }) => (
  <AlertsCard
    manages={manages}
    choices={useAlertChoices()}
    action={manages ? undefined : 'Ask a workspace member to create one.'}
  />
)

const Channels = ({ manages }: { manages: boolean }) => (
  <>
    <ChannelsCard manages={manages} />
    <TypesCard manages={manages} />
  </>
)

const NewAlert = ({ onClose }: { onClose: () => void }) => (
  <NewAlertDialog choices={useAlertChoices()} onClose={onClose} />
)

function NoChannelsNotice({ adds }: { adds: boolean }) {
  const { data: channels, isPending } = useInfiniteQuery(notificationsQuery(''))
  const isTold = channels?.some(
    ({ state, events }) => events.includes('alert') && (state === 'ok' || state === 'failing'),
  )
  if (isPending) return <Pending />
  if (!channels || isTold) return null
  const none = channels.length === 0
  return (
    <Notice
      tone="yellow"
      title={none ? 'No notification channels yet' : 'No active notification channels'}
      action={
        adds &&
        (none ? (
          <ButtonLink to={newChannelPath}>Add channel</ButtonLink>
        ) : (
          <ButtonLink to={alertsPath('channels')}>View channels</ButtonLink>
        ))
      }
    >
      {none
        ? `Alerts appear only in the console. ${adds ? 'Add email, Slack or another channel to get notified.' : 'Ask a workspace admin to add email, Slack or another channel.'}`
        : 'All channels are off, paused or do not receive alerts.'}
    </Notice>
  )
}

function useAlertChoices(): AlertChoices {
  const servers = useInfiniteQuery(serversQuery(''))
  const projects = useInfiniteQuery(projectsQuery(''))
  const applications = useInfiniteQuery(applicationsQuery(''))
  const channels = useInfiniteQuery(notificationsQuery(''))
  useAllPages(servers, true)
  useAllPages(projects, true)
  useAllPages(applications, true)
  useAllPages(channels, true)
  const failed = [servers, projects, applications, channels].find(({ data, error }) => error && !data)
  return {
    failure: failed?.error ?? undefined,
    servers: servers.data?.map(optionOf),
    projects: projects.data?.map(optionOf),
    applications: applications.data?.map(optionOf),
    channels: channels.data?.map((channel) => ({
      id: channel.id,
      name: channel.name,
      help: helpOf(channel),
    })),
    renderContainer: (serverId, field) => (
      <ContainerChoice key={serverId} serverId={serverId} field={field} />
    ),
  }
}

const optionOf = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name })

function helpOf({ state, events }: Notification): string {
  if (!events.includes('alert')) return 'Does not receive alerts'
  if (state === 'off') return 'Off'
  return state === 'paused' ? 'Paused after repeated failures' : ''
}

/** Field for a container. The scope stores its name, so the container need not exist yet. */
function ContainerChoice({ serverId, field }: { serverId: string; field: TypedField }) {
  const query = useInfiniteQuery(containersQuery(serverId))
  useAllPages(query, true)
  const { name, value, onChange, error } = field
  const names = query.data?.map((container) => container.name) ?? []
  return (
    <Field
      label="Container"
      help="Container name, which stays the same when the container is recreated."
      error={error}
    >
      <Combobox {...{ name, value, onChange }} options={names} label="Containers" />
    </Field>
  )
}
