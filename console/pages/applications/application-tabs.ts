import type { Permission } from '../../../contract/shared/permissions.ts'
import type { ApplicationDetails } from '../../areas/applications/queries.ts'
import { type LazyPage, lazyPage } from '../../lib/lazy-page.tsx'
import type { ApplicationTab } from '../../paths.ts'

interface TabPage {
  tab: ApplicationTab
  label: string
  needs: Permission
  Page: LazyPage<{ application: ApplicationDetails }>
}

export const applicationTabs: readonly TabPage[] = [
  {
    tab: 'deployments',
    label: 'Deployments',
    needs: 'deployments.read',
    Page: lazyPage(async () => (await import('./application-deployments.tsx')).ApplicationDeploymentsPage),
  },
  {
    tab: 'logs',
    label: 'Logs',
    needs: 'containers.read',
    Page: lazyPage(async () => (await import('./application-logs.tsx')).ApplicationLogsPage),
  },
  {
    tab: 'environment',
    label: 'Environment',
    needs: 'applications.read',
    Page: lazyPage(async () => (await import('./application-environment.tsx')).ApplicationEnvironmentPage),
  },
  {
    tab: 'networking',
    label: 'Networking',
    needs: 'applications.read',
    Page: lazyPage(async () => (await import('./application-networking.tsx')).ApplicationNetworkingPage),
  },
  {
    tab: 'metrics',
    label: 'Metrics',
    needs: 'applications.read',
    Page: lazyPage(async () => (await import('./application-metrics.tsx')).ApplicationMetricsPage),
  },
  {
    tab: 'settings',
    label: 'Settings',
    needs: 'applications.read',
    Page: lazyPage(async () => (await import('./application-settings.tsx')).ApplicationSettingsPage),
  },
]

/** Former tabs with the tabs that show their content now. */
export const movedTabs: Readonly<Record<string, ApplicationTab | undefined>> = {
  services: undefined,
  storage: 'settings',
  labels: 'settings',
}
