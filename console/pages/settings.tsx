import { useQuery } from '@tanstack/react-query'
import { Navigate, Route, Routes } from 'react-router'
import { roleAllows } from '../../contract/shared/permissions.ts'
import { ApiTokensCard } from '../areas/api-tokens/api-tokens-card.tsx'
import { NewTokenDialog } from '../areas/api-tokens/new-token-dialog.tsx'
import { CloudTokensCard } from '../areas/cloud-tokens/cloud-tokens-card.tsx'
import { RegistriesCard } from '../areas/registries/registries-card.tsx'
import { ActivityCard } from '../areas/user/activity-card.tsx'
import { AppearanceCard, ProfileCard } from '../areas/user/profile-card.tsx'
import { PasswordCard } from '../areas/user/password-card.tsx'
import { SessionsCard } from '../areas/user/sessions-card.tsx'
import { TwoFactorCard } from '../areas/user/two-factor-card.tsx'
import { currentWorkspaceQuery, useWorkspace } from '../areas/workspaces/queries.ts'
import { useDialog } from '../lib/use-dialog.ts'
import { paths } from '../paths.ts'
import { NotAllowed } from './page-fallback.tsx'
import { SettingsFrame } from './settings-frame.tsx'

export function SettingsPage() {
  const { data: workspace } = useQuery(currentWorkspaceQuery)
  const inWorkspace = Boolean(workspace)
  const allows = (right: 'cloud-tokens.manage' | 'registries.manage') =>
    Boolean(workspace && roleAllows(workspace.role, right))
  return (
    <SettingsFrame>
      <Routes>
        <Route index element={<ProfileCard />} />
        <Route path="security" element={<Security />} />
        <Route path="activity" element={<ActivityCard />} />
        <Route path="appearance" element={<AppearanceCard />} />
        {inWorkspace && <Route path="api-tokens" element={<ApiTokens />} />}
        {inWorkspace && (
          <Route
            path="cloud-tokens"
            element={
              allows('cloud-tokens.manage') ? <CloudTokensCard /> : <NotAllowed needs="cloud-tokens.manage" />
            }
          />
        )}
        {inWorkspace && (
          <Route path="registries" element={<RegistriesCard manages={allows('registries.manage')} />} />
        )}
        <Route path="*" element={<Navigate to={paths.settings} replace />} />
      </Routes>
    </SettingsFrame>
  )
}

function Security() {
  return (
    <>
      <PasswordCard />
      <TwoFactorCard />
      <SessionsCard />
    </>
  )
}

function ApiTokens() {
  const { name } = useWorkspace()
  const { open: openDialog } = useDialog()
  return (
    <>
      <ApiTokensCard workspace={name} onNew={() => openDialog('new-token')} />
      <NewTokenDialog />
    </>
  )
}
