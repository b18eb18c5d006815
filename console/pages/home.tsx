import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { LayoutTemplate, Plus } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { roleAllows } from '../../contract/shared/permissions.ts'
import { ApplicationCard, ApplicationCardSkeleton } from '../areas/applications/application-card.tsx'
import { homeApplicationsQuery } from '../areas/applications/queries.ts'
import { LatestDeployments } from '../areas/deployments/deployments-card.tsx'
import { AttentionCard } from '../areas/home/attention-card.tsx'
import { Counts } from '../areas/home/counts.tsx'
import { homeQuery } from '../areas/home/queries.ts'
import { HomeServers, HomeServersSkeleton } from '../areas/servers/home-servers.tsx'
import { serversQuery } from '../areas/servers/queries.ts'
import { useUser } from '../areas/user/queries.ts'
import { useWorkspace } from '../areas/workspaces/queries.ts'
import { QueryFallback } from '../lib/query-fallback.tsx'
import { paths } from '../paths.ts'
import { useSetTrail } from '../ui/breadcrumbs.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { DeploymentDialogRoute } from './applications/deployment-dialog-route.tsx'
import { FirstSteps } from './first-steps.tsx'

export function HomePage() {
  const user = useUser()
  const { data: home, error } = useQuery(homeQuery)
  const applications = useQuery(homeApplicationsQuery)
  const servers = useInfiniteQuery(serversQuery(''))
  useSetTrail([{ label: 'Home' }])
  // The slowest response would move the page when it arrives, so wait for all of them.
  const waiting = [
    error ?? home,
    applications.error ?? applications.data,
    servers.error ?? servers.data,
  ].some((answer) => answer === undefined)
  return (
    <>
      <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="flex min-w-0 flex-col gap-1">
          <h1 className="text-xl font-semibold tracking-tight wrap-anywhere">Welcome back, {user.name}</h1>
          <Counts home={home} failed={error !== null && !home} />
        </div>
        <QuickActions />
      </header>
      {waiting ? (
        <Overview
          applications={[1, 2, 3, 4].map((card) => (
            <ApplicationCardSkeleton key={card} />
          ))}
          servers={<HomeServersSkeleton />}
        />
      ) : (
        <>
          {home && home.attention.length > 0 && <AttentionCard attention={home.attention} more={home.more} />}
          {home && <FirstSteps done={home.checklist} />}
          <Missing query={applications} failed="Could not load applications" />
          <Missing query={servers} failed="Could not load servers" />
          <Overview
            applications={applications.data?.map((application) => (
              <ApplicationCard key={application.id} application={application} />
            ))}
            servers={servers.data && servers.data.length > 0 && <HomeServers servers={servers.data} />}
          />
          <LatestDeployments />
        </>
      )}
      <DeploymentDialogRoute />
    </>
  )
}

interface MissingProps extends Pick<ComponentProps<typeof QueryFallback>, 'failed'> {
  query: { data: unknown; error: Error | null; refetch: () => unknown }
}

const Missing = ({ query, failed }: MissingProps) =>
  query.error && !query.data && <QueryFallback query={query} failed={failed} skeleton={null} card />

interface OverviewProps {
  applications: ReactNode[] | undefined
  servers: ReactNode
}

function Overview({ applications, servers }: OverviewProps) {
  const deployed = applications !== undefined && applications.length > 0
  if (!deployed && !servers) return null
  return (
    <div className="grid items-start gap-x-4 gap-y-6 min-[1180px]:grid-cols-3">
      {deployed && (
        <Section title="Applications" all={paths.applications} wide={Boolean(servers)}>
          <ul className={servers ? twoColumns : threeColumns}>{applications}</ul>
        </Section>
      )}
      {servers && (
        <Section title="Servers" all={paths.servers} wide={!deployed}>
          {servers}
        </Section>
      )}
    </div>
  )
}

const twoColumns = 'grid gap-3 sm:grid-cols-2'
const threeColumns = 'grid gap-3 sm:grid-cols-2 min-[1180px]:grid-cols-3'

interface SectionProps {
  title: string
  all: string
  wide: boolean
  children: ReactNode
}

const Section = ({ title, all, wide, children }: SectionProps) => (
  <section aria-label={title} className={wide ? 'min-w-0 min-[1180px]:col-span-2' : 'min-w-0'}>
    <div className="mb-2 flex items-baseline justify-between gap-4">
      <h2 className="text-base font-semibold">{title}</h2>
      <span className="text-sm">
        <TextLink to={all} aria-label={`View all ${title.toLowerCase()}`}>
          View all
        </TextLink>
      </span>
    </div>
    {children}
  </section>
)

function QuickActions() {
  const { role } = useWorkspace()
  return (
    <nav aria-label="Quick actions" className="flex flex-wrap gap-2">
      {roleAllows(role, 'templates.read') && (
        <ButtonLink to={paths.templates}>
          <LayoutTemplate aria-hidden />
          Browse templates
        </ButtonLink>
      )}
      {roleAllows(role, 'applications.manage') && (
        <ButtonLink variant="primary" to={paths.createApplication}>
          <Plus aria-hidden />
          New application
        </ButtonLink>
      )}
    </nav>
  )
}
