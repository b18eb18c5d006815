import { useQuery } from '@tanstack/react-query'
import { Navigate, Route, Routes } from 'react-router'
import { roleAllows } from '../../contract/shared/permissions.ts'
import { ApiTokensCard } from '../areas/api-tokens/api-tokens-card.tsx'
import { NewTokenDialog } from '../areas/api-tokens/new-token-dialog.tsx'
import { CloudTokensCard } from '../areas/cloud-tokens/cloud-tokens-card.tsx'
import { ActivityCard } from '../areas/user/activity-card.tsx'
import { AppearanceCard, ProfileCard } from '../areas/user/profile-card.tsx'
import { PasswordCard } from '../areas/user/password-card.tsx'
import { SessionsCard } from '../areas/user/sessions-card.tsx'
import { TwoFactorCard } from '../areas/user/two-factor-card.tsx'
import { currentWorkspaceQuery, useWorkspace } from '../areas/workspaces/queries.ts'
import { useDialog } from '../lib/use-dialog.ts'
import { cloudTokensPath, paths } from '../paths.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { NotAllowed } from './page-fallback.tsx'

const tabs = [
  { to: paths.settings, label: 'Profile', end: true },
  { to: `${paths.settings}/security`, label: 'Security' },
  { to: `${paths.settings}/activity`, label: 'Security activity' },
  { to: `${paths.settings}/appearance`, label: 'Appearance' },
]
/** Only available in a workspace. */
const apiTokens = { to: `${paths.settings}/api-tokens`, label: 'API tokens' }
const cloudTokens = { to: cloudTokensPath, label: 'Cloud tokens' }

export function SettingsPage() {
  const { data: workspace } = useQuery(currentWorkspaceQuery)
  const inWorkspace = Boolean(workspace)
  const keepsClouds = workspace ? roleAllows(workspace.role, 'cloud-tokens.manage') : false
  const ofWorkspace = [...(inWorkspace ? [apiTokens] : []), ...(keepsClouds ? [cloudTokens] : [])]
  return (
    <>
      <PageHeader title="Settings" />
      <Tabs label="Settings" tabs={[...tabs, ...ofWorkspace]} />
      <Routes>
        <Route index element={<ProfileCard />} />
        <Route path="security" element={<Security />} />
        <Route path="activity" element={<ActivityCard />} />
        <Route path="appearance" element={<AppearanceCard />} />
        {inWorkspace && <Route path="api-tokens" element={<ApiTokens />} />}
        {inWorkspace && (
          <Route
            path="cloud-tokens"
            element={keepsClouds ? <CloudTokensCard /> : <NotAllowed needs="cloud-tokens.manage" />}
          />
        )}
        <Route path="*" element={<Navigate to={paths.settings} replace />} />
      </Routes>
    </>
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
