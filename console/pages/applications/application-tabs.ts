import type { Permission } from '../../../contract/shared/permissions.ts'
import type { ApplicationDetails } from '../../areas/applications/queries.ts'
import { isCompose } from '../../areas/applications/source-label.ts'
import { type LazyPage, lazyPage } from '../../lib/lazy-page.tsx'
import type { ApplicationTab } from '../../paths.ts'

interface TabPage {
  tab: ApplicationTab
  label: string
  needs: Permission
  only?: (application: ApplicationDetails) => boolean
  Page: LazyPage<{ application: ApplicationDetails }>
}

export const applicationTabs: readonly TabPage[] = [
  {
    tab: 'services',
    label: 'Services',
    needs: 'applications.read',
    only: ({ source }) => isCompose(source.type),
    Page: lazyPage(async () => (await import('./application-services.tsx')).ApplicationServicesPage),
  },
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
    tab: 'storage',
    label: 'Storage',
    needs: 'applications.read',
    Page: lazyPage(async () => (await import('./application-storage.tsx')).ApplicationStoragePage),
  },
  {
    tab: 'labels',
    label: 'Labels',
    needs: 'applications.read',
    Page: lazyPage(async () => (await import('./application-labels.tsx')).ApplicationLabelsPage),
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
    needs: 'applications.manage',
    Page: lazyPage(async () => (await import('./application-settings.tsx')).ApplicationSettingsPage),
  },
]
