import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Navigate, Route, Routes, useMatch } from 'react-router'
import { roleAllows } from '../../../contract/shared/permissions.ts'
import { applicationQuery } from '../../areas/applications/queries.ts'
import { GitHubAppSettings } from '../../areas/integrations/github-app-settings.tsx'
import { ConnectButtons, ConnectCard } from '../../areas/integrations/connect-card.tsx'
import { DisconnectDialog, IntegrationCard } from '../../areas/integrations/integration-card.tsx'
import { githubAppQuery, type Integration, integrationsQuery } from '../../areas/integrations/queries.ts'
import { DeliveriesCard } from '../../areas/webhooks/deliveries-card.tsx'
import { DeliveryDialog } from '../../areas/webhooks/delivery-dialog.tsx'
import { useWorkspace } from '../../areas/workspaces/queries.ts'
import { useDialog } from '../../lib/use-dialog.ts'
import { useParam } from '../../lib/use-param.ts'
import { deliveriesPath, deploymentPath, paths, registriesPath } from '../../paths.ts'
import { QueryFallback } from '../../lib/query-fallback.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { SettingsFrame } from '../settings-frame.tsx'
import { TextLink } from '../../ui/text-link.tsx'

export function IntegrationsPage() {
  const { role } = useWorkspace()
  const manages = roleAllows(role, 'integrations.manage')
  const showsAccounts = useMatch(paths.integrations) !== null
  const { dialog } = useDialog()
  // Old links open dialogs of registries here, before those had a section of their own.
  if (showsAccounts && dialog !== '')
    return <Navigate to={`${registriesPath}?dialog=${encodeURIComponent(dialog)}`} replace />
  return (
    <SettingsFrame>
      <Routes>
        <Route index element={<Accounts manages={manages} />} />
        <Route
          path="deliveries"
          element={
            <>
              <Deliveries />
              <DeliveryDialog
                deploys={roleAllows(role, 'applications.deploy')}
                renderDeployment={(application, deployment) => (
                  <TextLink to={deploymentPath(application, deployment)}>View deployment</TextLink>
                )}
              />
            </>
          }
        />
        <Route path="*" element={<Navigate to={paths.integrations} replace />} />
      </Routes>
    </SettingsFrame>
  )
}

function Deliveries() {
  const [id] = useParam('application_id')
  const { data } = useQuery({ ...applicationQuery(id), enabled: id !== '' })
  return (
    <DeliveriesCard
      application={id === '' ? undefined : { id, name: data?.name }}
      all={<TextLink to={deliveriesPath()}>Show all</TextLink>}
    />
  )
}

function Accounts({ manages }: { manages: boolean }) {
  const query = useInfiniteQuery(integrationsQuery)
  const { data: integrations } = query
  const { data: app, isPending } = useQuery(githubAppQuery)
  const [going, setGoing] = useState<Integration>()
  if (!integrations || isPending)
    return (
      <QueryFallback
        query={query}
        failed="Could not load integrations"
        skeleton={<Skeleton className="h-36 w-full" />}
      />
    )
  return (
    <>
      {/* Connected accounts do not work without the App, so offer to set it up. */}
      {(integrations.length === 0 || app?.ready === false) && <ConnectCard app={app} manages={manages} />}
      {integrations.length > 0 && manages && app?.ready && <ConnectButtons more />}
      {integrations.length > 0 && (
        <ul className="grid gap-4 sm:grid-cols-2">
          {integrations.map((integration) => (
            <IntegrationCard
              key={integration.id}
              integration={integration}
              onDisconnect={manages ? () => setGoing(integration) : undefined}
            />
          ))}
        </ul>
      )}
      {manages && app && app.from !== null && <GitHubAppSettings app={app} />}
      {going && <DisconnectDialog integration={going} onClose={() => setGoing(undefined)} />}
    </>
  )
}
