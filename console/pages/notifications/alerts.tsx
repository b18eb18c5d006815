import { useInfiniteQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { Navigate, Route, Routes, useMatch } from 'react-router'
import { roleAllows } from '../../../contract/shared/permissions.ts'
import { NewAlertDialog } from '../../areas/alerts/alert-dialogs.tsx'
import { AlertsCard } from '../../areas/alerts/alerts-card.tsx'
import { FiringCard } from '../../areas/alerts/firing-card.tsx'
import { IncidentHistoryCard } from '../../areas/alerts/incident-history-card.tsx'
import { IncidentDialog } from '../../areas/alerts/incident-dialog.tsx'
import { ChannelsCard } from '../../areas/notifications/channels-card.tsx'
import { notificationsQuery } from '../../areas/notifications/queries.ts'
import { useWorkspace } from '../../areas/workspaces/queries.ts'
import { useDialog } from '../../lib/use-dialog.ts'
import { useTitle } from '../../lib/use-title.ts'
import { alertsPath, newChannelPath, paths } from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useAlertChoices } from './alert-choices.tsx'

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
        <Route
          path="channels"
          element={<ChannelsCard manages={roleAllows(role, 'notifications.manage')} />}
        />
        <Route path="*" element={<Navigate to={paths.notifications} replace />} />
      </Routes>
      <IncidentDialog manages={manages} />
      {manages && dialog === dialogName && <NewAlert onClose={close} />}
    </>
  )
}

function Alerts({ manages }: { manages: boolean }) {
  return (
    <AlertsCard
      manages={manages}
      choices={useAlertChoices()}
      action={manages ? undefined : 'A member of the workspace can create one.'}
    />
  )
}

const NewAlert = ({ onClose }: { onClose: () => void }) => (
  <NewAlertDialog choices={useAlertChoices()} onClose={onClose} />
)

/** Warns about alerts without a channel. */
function NoChannelsNotice({ adds }: { adds: boolean }) {
  const { data: channels } = useInfiniteQuery(notificationsQuery(''))
  const isTold = channels?.some(
    ({ state, events }) => events.includes('alert') && (state === 'ok' || state === 'failing'),
  )
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
        ? `Alerts only show up here. ${adds ? 'Add email, Slack or another channel to get notified.' : 'An admin can add email, Slack or another channel.'}`
        : 'All channels are off, paused or do not receive alerts.'}
    </Notice>
  )
}
