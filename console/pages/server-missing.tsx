import { ServerOff } from 'lucide-react'
import { isMissing } from '../lib/failure.ts'
import { paths } from '../paths.ts'
import { ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Problem } from '../ui/problem.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useSetTrail } from '../ui/trail.tsx'

interface ServerMissingProps {
  title: string
  query: { error: Error | null; refetch: () => Promise<unknown> }
}

/** Where a server should be that is still on its way, is gone, or cannot be shown. */
export function ServerMissing({ title, query: { error, refetch } }: ServerMissingProps) {
  useSetTrail([...parents, { label: title }])
  if (!error) return <Waiting />
  return (
    <>
      <PageHeader title={title} parents={parents} />
      <div className="rounded-lg border border-line bg-raised">
        {isMissing(error) ? (
          <EmptyState
            icon={ServerOff}
            title="There is no such server here"
            action={<ButtonLink to={paths.servers}>All servers</ButtonLink>}
          >
            It was deleted, or it belongs to another workspace.
          </EmptyState>
        ) : (
          <Problem title="The server could not be loaded" onRetry={() => void refetch()}>
            {error.message || 'Try again in a moment.'}
          </Problem>
        )}
      </div>
    </>
  )
}

const parents = [{ label: 'Servers', to: paths.servers }]

function Waiting() {
  return (
    <div className="flex flex-col gap-6" aria-busy="true">
      <h1 className="sr-only">Loading</h1>
      <Skeleton className="h-7 w-48" />
      <div className="flex gap-6 border-b border-line pb-3">
        <Skeleton className="h-5 w-16" />
        <Skeleton className="h-5 w-16" />
      </div>
      <Skeleton className="h-72 w-full rounded-lg!" />
    </div>
  )
}
