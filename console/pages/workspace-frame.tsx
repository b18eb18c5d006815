import type { ReactNode } from 'react'
import { roleAllows } from '../../contract/shared/permissions.ts'
import { useWorkspace } from '../areas/workspaces/queries.ts'
import { paths } from '../paths.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { Tabs } from '../ui/tabs.tsx'

export function WorkspaceFrame({ action, children }: { action?: ReactNode; children: ReactNode }) {
  const { name, role, billing } = useWorkspace()
  return (
    <>
      <PageHeader title="Workspace" description={name} action={action} />
      <Tabs
        label="Workspace"
        tabs={[
          { to: paths.workspace, label: 'Members', end: true },
          ...(roleAllows(role, 'members.manage')
            ? [{ to: `${paths.workspace}/invites`, label: 'Invites' }]
            : []),
          ...(roleAllows(role, 'audit.read') ? [{ to: `${paths.workspace}/audit`, label: 'Audit log' }] : []),
          ...(roleAllows(role, 'api-tokens.oversee')
            ? [{ to: `${paths.workspace}/api-tokens`, label: 'API tokens' }]
            : []),
          ...(billing ? [{ to: paths.billing, label: 'Billing' }] : []),
          { to: `${paths.workspace}/settings`, label: 'Settings' },
        ]}
      />
      {children}
    </>
  )
}
