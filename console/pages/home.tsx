import { useQuery } from '@tanstack/react-query'
import {
  Boxes,
  LayoutTemplate,
  type LucideIcon,
  Plus,
  Rocket,
  Server,
  ServerCog,
  UserPlus,
} from 'lucide-react'
import { roleAllows } from '../../contract/shared/permissions.ts'
import { LatestDeployments } from '../areas/deployments/deployments-card.tsx'
import { AttentionCard, homeQuery } from '../areas/home/attention-card.tsx'
import { useUser } from '../areas/user/queries.ts'
import { useWorkspace } from '../areas/workspaces/queries.ts'
import { ThisMachineDialog, ThisMachineOffer } from '../areas/this-machine/this-machine-offer.tsx'
import { paths } from '../paths.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { StatCard } from '../ui/stat-card.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useSetTrail } from '../ui/breadcrumbs.tsx'
import { DeploymentDialogRoute } from './applications/deployment-dialog-route.tsx'
import { Link } from 'react-router'

export function HomePage() {
  const user = useUser()
  const { role } = useWorkspace()
  const { data: home, error } = useQuery(homeQuery)
  useSetTrail([{ label: 'Home' }])
  const counted = { failed: error !== null && !home }
  return (
    <>
      <h1 className="text-xl font-semibold tracking-tight wrap-anywhere">Welcome back, {user.name}</h1>
      <section aria-label="Counts" className="grid grid-cols-3 gap-4 max-sm:gap-2">
        <StatCard
          label="Servers"
          icon={Server}
          value={home?.servers}
          {...counted}
          note="Total"
          to={paths.servers}
        />
        <StatCard
          label="Applications"
          icon={Boxes}
          value={home?.applications}
          {...counted}
          note="Total"
          to={paths.applications}
        />
        <StatCard label="Deploys" icon={Rocket} value={home?.deploys} {...counted} note="Last 30 days" />
      </section>
      {!home && !error && <Skeleton className="h-5 w-56" />}
      {home && home.servers + home.applications + home.attention.length > 0 && (
        <AttentionCard attention={home.attention} more={home.more} />
      )}
      {home && <GettingStarted servers={home.servers} applications={home.applications} />}
      <QuickActions actions={actions.filter(({ needs }) => roleAllows(role, needs))} />
      <LatestDeployments />
      <DeploymentDialogRoute />
    </>
  )
}

interface GettingStartedProps {
  servers: number
  applications: number
}

/** Leads to the first server and the first application; afterwards it is gone. */
function GettingStarted({ servers, applications }: GettingStartedProps) {
  const { id, role } = useWorkspace()
  const operates = useUser().instance_owner
  if (servers === 0 && roleAllows(role, 'servers.manage'))
    return (
      <Card
        title="Add your first server"
        description="Servers run your applications. Setup takes about a minute."
      >
        <div className="flex flex-wrap gap-2">
          {operates && <ThisMachineOffer variant="primary" />}
          <ButtonLink to={paths.importServers}>Import server</ButtonLink>
          <ButtonLink to={paths.createServer}>Create server</ButtonLink>
        </div>
        {operates && <ThisMachineDialog workspace={id} />}
      </Card>
    )
  if (servers > 0 && applications === 0 && roleAllows(role, 'applications.manage'))
    return (
      <Card
        title="Deploy your first application"
        description="From an image, a repository or a compose file."
      >
        <ButtonLink variant="primary" to={paths.createApplication}>
          Deploy an application
        </ButtonLink>
      </Card>
    )
  return null
}

const actions = [
  {
    title: 'New application',
    text: 'From a repository, an image or a compose file',
    icon: Plus,
    to: paths.createApplication,
    needs: 'applications.manage',
  },
  {
    title: 'Browse templates',
    text: 'One-click apps',
    icon: LayoutTemplate,
    to: paths.templates,
    needs: 'templates.read',
  },
  {
    title: 'Add server',
    text: 'Connect over SSH or create in the cloud',
    icon: ServerCog,
    to: paths.importServers,
    needs: 'servers.manage',
  },
  {
    title: 'Invite a member',
    text: 'Add members to this workspace',
    icon: UserPlus,
    to: `${paths.workspace}?dialog=invite`,
    needs: 'members.manage',
  },
] as const

interface QuickActionsProps {
  actions: readonly { title: string; text: string; icon: LucideIcon; to: string }[]
}

const QuickActions = ({ actions }: QuickActionsProps) => (
  <nav
    aria-label="Quick actions"
    className="grid auto-cols-fr grid-flow-col gap-4 max-[1200px]:grid-flow-row max-[1200px]:grid-cols-2 max-sm:gap-2"
  >
    {actions.map(({ title, text, icon: Icon, to }) => (
      <Link
        key={title}
        to={to}
        className="flex gap-3 rounded-lg border border-line bg-raised p-4 max-sm:p-3 hover:border-edge hover:bg-subtle"
      >
        <Icon className="mt-0.5 size-4 shrink-0 text-muted" aria-hidden />
        <span className="flex min-w-0 flex-col gap-0.5">
          <span className="font-medium">{title}</span>
          <span className="text-sm text-muted max-sm:hidden">{text}</span>
        </span>
      </Link>
    ))}
  </nav>
)
