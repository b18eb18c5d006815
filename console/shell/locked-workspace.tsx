import { Lock } from 'lucide-react'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'

export function LockedWorkspace({ name }: { name: string }) {
  return (
    <>
      <PageHeader title="Workspace locked" />
      <EmptyState icon={Lock} title={`${name} is locked`}>
        An instance owner locked this workspace. Its applications keep running. Ask an instance owner to
        unlock it, or switch to another workspace.
      </EmptyState>
    </>
  )
}
