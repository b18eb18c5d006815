import { useQuery } from '@tanstack/react-query'
import { Boxes, LayoutTemplate, Plus, Rocket, Server, ServerCog, UserPlus } from 'lucide-react'
import { roleAllows } from '../../contract/shared/permissions.ts'
import { LatestDeployments } from '../areas/deployments/latest-deployments.tsx'
import { AttentionCard } from '../areas/home/attention-card.tsx'
import { homeQuery } from '../areas/home/queries.ts'
import { QuickActions } from '../areas/home/quick-actions.tsx'
import { useUser } from '../areas/user/queries.ts'
import { useWorkspace } from '../areas/workspaces/queries.ts'
import { paths } from '../paths.ts'
import { StatCard } from '../ui/stat-card.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useSetTrail } from '../ui/trail.tsx'
import { DeploymentDialogRoute } from './applications/deployment-dialog-route.tsx'

export function HomePage() {
  const user = useUser()
  const { role } = useWorkspace()
  const { data: home, isError } = useQuery(homeQuery)
  useSetTrail([{ label: 'Home' }])
  const counted = { failed: isError && !home }
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
      {!home && !isError && <Skeleton className="h-5 w-56" />}
      {home && home.servers + home.applications + home.attention.length > 0 && (
        <AttentionCard attention={home.attention} more={home.more} />
      )}
      <QuickActions actions={actions.filter(({ needs }) => roleAllows(role, needs))} />
      <LatestDeployments />
      <DeploymentDialogRoute />
    </>
  )
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
    text: 'Work together in this workspace',
    icon: UserPlus,
    to: `${paths.workspace}?dialog=invite`,
    needs: 'members.manage',
  },
] as const
