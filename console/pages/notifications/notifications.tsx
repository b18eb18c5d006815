import { useParams } from 'react-router'
import type { AlertsTab } from '../../paths.ts'
import { AlertsPage } from './alerts.tsx'
import { ChannelPage } from './channel.tsx'

const tabs: Record<AlertsTab, true> = { alerts: true, history: true, channels: true }

/** Routes for tabs and channels, which share a level of the URL. */
export function NotificationsPage() {
  const [place = ''] = (useParams()['*'] ?? '').split('/')
  return place === '' || Object.hasOwn(tabs, place) ? <AlertsPage /> : <ChannelPage key={place} id={place} />
}
