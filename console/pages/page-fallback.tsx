import { Lock } from 'lucide-react'
import { isNotFound } from '../lib/http/api-error.ts'
import { type Crumb, useSetTrail } from '../ui/breadcrumbs.tsx'
import { HarborScene } from '../ui/brand/harbor-scene.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Problem } from '../ui/problem.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { PublicLayout } from '../ui/brand/public-layout.tsx'
import { paths } from '../paths.ts'
import { type Permission, permissions } from '../../contract/shared/permissions.ts'

interface ResourceFallbackProps {
  title: string
  parents: readonly Crumb[]
  query: { error: Error | null; refetch: () => unknown }
  words: {
    gone: string
    why: string
    others: { to: string; label: string }
    failed: string
  }
}

/** Stands in for a resource that is loading, does not exist or failed to load. */
export function ResourceFallback({ title, parents, query, words }: ResourceFallbackProps) {
  const { error } = query
  useSetTrail([...parents, { label: error ? title : null }])
  if (!error) return <Waiting />
  if (isNotFound(error)) return <Lost title={words.gone} description={words.why} action={words.others} />
  return (
    <>
      <PageHeader title={title} parents={parents} />
      <div className="rounded-lg border border-line bg-raised">
        <Problem title={words.failed} error={error} onRetry={query.refetch} />
      </div>
    </>
  )
}

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

const lost = {
  title: 'Page not found',
  description: 'The page may have been deleted or renamed, or the link is incomplete.',
}

interface LostProps {
  title: string
  description: string
  action: { to: string; label: string }
}

/** Message in place of a page. The sidebar stays, because the message is part of the dashboard. */
const Lost = ({ title, description, action }: LostProps) => (
  <div className="mx-auto flex min-h-[70dvh] w-full max-w-lg flex-col items-center justify-center gap-6 text-center">
    <div className="w-full overflow-hidden rounded-lg border border-line">
      <HarborScene className="h-44" />
    </div>
    <div className="flex flex-col gap-2">
      <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
      <p className="text-muted">{description}</p>
    </div>
    <ButtonLink to={action.to} variant="primary" size="large">
      {action.label}
    </ButtonLink>
  </div>
)

export const NotFoundPage = () => <Lost {...lost} action={{ to: paths.home, label: 'Go home' }} />

export const UnknownPage = () => (
  <PublicLayout {...lost}>
    <ButtonLink to={paths.home} variant="primary" size="large" wide>
      Go home
    </ButtonLink>
  </PublicLayout>
)

const whom = {
  viewer: 'Ask a workspace admin for access.',
  member: 'You need the member role. Ask a workspace admin for access.',
  admin: 'Ask a workspace admin for access.',
  owner: 'Ask a workspace owner for access.',
}

interface NotAllowedProps {
  needs: Permission
  title?: string
  /** Reason why the page is not accessible, if the role alone does not decide. */
  reason?: string | undefined
}

/** Message for a link to a tab that the role cannot access. */
export function NotAllowed({ needs, title = 'You do not have access', reason }: NotAllowedProps) {
  return (
    <EmptyState icon={Lock} title={title} action={<ButtonLink to={paths.workspace}>View members</ButtonLink>}>
      {reason ?? whom[permissions[needs].role]}
    </EmptyState>
  )
}
