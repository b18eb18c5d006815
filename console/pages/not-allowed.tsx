import { Lock } from 'lucide-react'
import { type Permission, permissions } from '../../contract/shared/permissions.ts'
import { EmptyState } from '../ui/empty-state.tsx'

/** Who can be asked, by the lowest role that may. */
const whom = {
  viewer: 'Ask an owner or an admin of the workspace if you need it.',
  member:
    'Members, admins and owners of the workspace can do this. Ask one of them, or an admin to make you a member.',
  admin: 'Ask an owner or an admin of the workspace if you need it.',
  owner: 'Ask an owner of the workspace if you need it.',
}

interface NotAllowedProps {
  needs: Permission
  title?: string
  /** Where the role alone does not decide. */
  reason?: string | undefined
}

/** Where a link leads whose tab one's role does not offer. */
export function NotAllowed({ needs, title = 'Your role does not show this', reason }: NotAllowedProps) {
  return (
    <EmptyState icon={Lock} title={title}>
      {reason ?? whom[permissions[needs].role]}
    </EmptyState>
  )
}
