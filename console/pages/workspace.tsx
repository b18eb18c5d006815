import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { Navigate, Route, Routes, useLocation } from 'react-router'
import { roleAllows, type Role } from '../../contract/shared/permissions.ts'
import { WorkspaceTokensCard } from '../areas/api-tokens/api-tokens-card.tsx'
import { AuditCard } from '../areas/audit/audit-card.tsx'
import { authOptionsQuery } from '../areas/auth/queries.ts'
import { AllDomainsCard } from '../areas/domains/all-domains-card.tsx'
import { useUser } from '../areas/user/queries.ts'
import { InviteDialog } from '../areas/workspaces/invite-dialog.tsx'
import { InvitesCard } from '../areas/workspaces/invites-card.tsx'
import { MembersCard } from '../areas/workspaces/members-card.tsx'
import { useWorkspace } from '../areas/workspaces/queries.ts'
import { RolesCard } from '../areas/workspaces/roles-card.tsx'
import { useDialog } from '../lib/use-dialog.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/button.tsx'
import { NotAllowed } from './page-fallback.tsx'
import { SettingsFrame } from './settings-frame.tsx'
import {
  DeleteWorkspaceCard,
  LeaveWorkspaceCard,
  RenameWorkspaceCard,
  ShellAccessCard,
} from '../areas/workspaces/settings-cards.tsx'

export function WorkspacePage() {
  const { id: me } = useUser()
  const { role, billing } = useWorkspace()
  const { open: openDialog } = useDialog()
  const { data: options } = useQuery(authOptionsQuery)
  const manages = roleAllows(role, 'members.manage')
  const pathname = useLocation().pathname
  const showsMembers = [paths.workspace, `${paths.workspace}/invites`].includes(pathname)
  const invite = () => openDialog('invite')
  return (
    <SettingsFrame
      action={
        manages &&
        showsMembers && (
          <Button variant="primary" onClick={invite}>
            <Plus aria-hidden />
            Invite
          </Button>
        )
      }
    >
      <Routes>
        <Route
          index
          element={
            <>
              <MembersCard me={me} mine={role} />
              <RolesCard mine={role} billing={billing} />
            </>
          }
        />
        <Route
          path="invites"
          element={
            manages ? <InvitesCard mine={role} onInvite={invite} /> : <NotAllowed needs="members.manage" />
          }
        />
        <Route
          path="audit"
          element={roleAllows(role, 'audit.read') ? <AuditCard /> : <NotAllowed needs="audit.read" />}
        />
        <Route
          path="api-tokens"
          element={
            roleAllows(role, 'api-tokens.oversee') ? (
              <WorkspaceTokensCard />
            ) : (
              <NotAllowed needs="api-tokens.oversee" />
            )
          }
        />
        <Route path="domains" element={<AllDomainsCard />} />
        <Route path="settings" element={<WorkspaceSettings me={me} role={role} />} />
        <Route path="*" element={<Navigate to={paths.workspace} replace />} />
      </Routes>
      {manages && <InviteDialog mine={role} mail={options?.mail ?? false} />}
    </SettingsFrame>
  )
}

function WorkspaceSettings({ me, role }: { me: string; role: Role }) {
  return (
    <>
      {roleAllows(role, 'workspace.update') && (
        <>
          <RenameWorkspaceCard />
          <ShellAccessCard />
        </>
      )}
      <LeaveWorkspaceCard me={me} />
      {roleAllows(role, 'workspace.delete') && <DeleteWorkspaceCard />}
    </>
  )
}
