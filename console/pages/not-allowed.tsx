import { Lock } from 'lucide-react'
import { type Permission, permissions } from '../../contract/shared/permissions.ts'
import { EmptyState } from '../ui/empty-state.tsx'

const whom = {
  viewer: 'Ask an owner or admin of the workspace for access.',
  member: 'This requires the member role. Ask an owner or admin of the workspace for access.',
  admin: 'Ask an owner or admin of the workspace for access.',
  owner: 'Ask an owner of the workspace for access.',
}

interface NotAllowedProps {
  needs: Permission
  title?: string
  /** Overrides the text if the role alone does not decide. */
  reason?: string | undefined
}

/** Shown when a link opens a tab that the role cannot access. */
export function NotAllowed({ needs, title = "You don't have access", reason }: NotAllowedProps) {
  return (
    <EmptyState icon={Lock} title={title}>
      {reason ?? whom[permissions[needs].role]}
    </EmptyState>
  )
}
