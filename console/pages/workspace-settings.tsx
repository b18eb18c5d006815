import { type Role, may } from '../../contract/permissions.ts'
import { DeleteCard } from '../areas/workspaces/delete-card.tsx'
import { LeaveCard } from '../areas/workspaces/leave-card.tsx'
import { RenameCard } from '../areas/workspaces/rename-card.tsx'
import { ShellAccessCard } from '../areas/workspaces/shell-access-card.tsx'

export function WorkspaceSettings({ me, role }: { me: string; role: Role }) {
  return (
    <>
      {may(role, 'workspace.update') && (
        <>
          <RenameCard />
          <ShellAccessCard />
        </>
      )}
      <LeaveCard me={me} />
      {may(role, 'workspace.delete') && <DeleteCard />}
    </>
  )
}
