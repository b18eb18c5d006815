import { Lock } from 'lucide-react'
import { Navigate, Route, Routes } from 'react-router'
import { InstanceAuditCard } from '../../areas/instance/instance-audit-card.tsx'
import { HostNamesCard } from '../../areas/instance/host-names-card.tsx'
import { InstanceOverview } from '../../areas/instance/overview.tsx'
import { UsersCard } from '../../areas/instance/users-card.tsx'
import { InstanceSettingsCards } from '../../areas/instance/settings-cards.tsx'
import { WorkspacesCard } from '../../areas/instance/workspaces-card.tsx'
import { useUser } from '../../areas/user/queries.ts'
import { instancePath, paths } from '../../paths.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Pending } from '../../ui/skeleton.tsx'
import { SettingsFrame } from '../settings-frame.tsx'
import { useQuery } from '@tanstack/react-query'
import { GitHubAppSettings, SetUpGitHubApp } from '../../areas/integrations/github-app-settings.tsx'
import { githubAppQuery } from '../../areas/integrations/queries.ts'
import {
  type ThisMachine,
  ThisMachineDialog,
  ThisMachineOffer,
  thisMachineQuery,
} from '../../areas/this-machine/this-machine-offer.tsx'
import { currentWorkspaceQuery } from '../../areas/workspaces/queries.ts'
import { Card } from '../../ui/card.tsx'

const links = { people: instancePath('people'), workspaces: instancePath('workspaces') }

export function InstancePage() {
  const { id, instance_owner: isOwner } = useUser()
  if (!isOwner)
    return (
      <>
        <PageHeader title="Instance" />
        <EmptyState icon={Lock} title="Only instance owners can open this page">
          Ask an instance owner to change instance settings or to give you access.
        </EmptyState>
      </>
    )
  return (
    <SettingsFrame>
      <Routes>
        <Route index element={<InstanceOverview links={links} />} />
        <Route path="people" element={<UsersCard me={id} />} />
        <Route path="workspaces" element={<WorkspacesCard />} />
        <Route path="host-names" element={<HostNamesCard />} />
        <Route
          path="settings"
          element={
            <>
              <InstanceSettingsCards />
              <GitHubAppCard />
              <ThisMachineCard />
            </>
          }
        />
        <Route path="audit" element={<InstanceAuditCard />} />
        <Route path="*" element={<Navigate to={paths.instance} replace />} />
      </Routes>
    </SettingsFrame>
  )
}

/** Card for the GitHub App. The API returns the app only within a workspace. */
function GitHubAppCard() {
  const { data: workspace } = useQuery(currentWorkspaceQuery)
  const { data: app, isLoading } = useQuery({ ...githubAppQuery, enabled: Boolean(workspace) })
  if (isLoading) return <Pending />
  if (!app) return null
  if (app.from !== null) return <GitHubAppSettings app={app} />
  return (
    <Card title="GitHub App" description="Lets users deploy from GitHub repositories and log in with GitHub.">
      <SetUpGitHubApp problem={app.problem} warning={app.warning} />
    </Card>
  )
}

function ThisMachineCard() {
  const { data: workspace } = useQuery(currentWorkspaceQuery)
  const { data: machine, isPending } = useQuery(thisMachineQuery)
  if (isPending) return <Pending />
  if (!machine) return null
  return (
    <Card
      title="This machine"
      description="The machine that Slipway runs on. Root access to it gives full control of Slipway and all its secrets."
      action={<ThisMachineOffer />}
    >
      <p>{describe(machine)}</p>
      <ThisMachineDialog workspace={workspace?.id ?? ''} />
    </Card>
  )
}

function describe({ server, offered, problem }: ThisMachine) {
  if (server) return `Used as server ${server.name} in workspace ${server.workspace.name}.`
  if (offered) return 'Not used as a server.'
  return problem ?? 'This machine cannot be used as a server.'
}
