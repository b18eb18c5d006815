import { PackageX } from 'lucide-react'
import { isMissing } from '../lib/failure.ts'
import { serverPath } from '../paths.ts'
import type { Crumb } from '../ui/breadcrumbs.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Problem } from '../ui/problem.tsx'

interface ContainerMissingProps {
  serverId: string
  title: string
  parents: readonly Crumb[]
  error: Error
  onRetry: () => void
}

/** Where a container should be that nobody here has seen, because it is gone or cannot be asked for. */
export function ContainerMissing({ serverId, title, parents, error, onRetry }: ContainerMissingProps) {
  return (
    <>
      <PageHeader title={title} parents={parents} />
      <div className="rounded-lg border border-line bg-raised">
        {isMissing(error) ? (
          <EmptyState
            icon={PackageX}
            title="There is no such container here"
            action={<ButtonLink to={serverPath(serverId, 'containers')}>All containers</ButtonLink>}
          >
            It was removed, or it is on another server.
          </EmptyState>
        ) : (
          <Problem title="The container cannot be shown" onRetry={onRetry}>
            {error.message || 'Try again in a moment.'}
          </Problem>
        )}
      </div>
    </>
  )
}
