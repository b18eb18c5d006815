import { useQuery } from '@tanstack/react-query'
import { Boxes, Rocket, Server } from 'lucide-react'
import { applicationCountQuery } from '../areas/applications/queries.ts'
import { LatestDeployments } from '../areas/deployments/latest-deployments.tsx'
import { deploymentCountQuery } from '../areas/deployments/queries.ts'
import { serverCountQuery } from '../areas/servers/queries.ts'
import { useUser } from '../areas/user/queries.ts'
import { paths } from '../paths.ts'
import { Figure } from '../ui/figure.tsx'
import { useSetTrail } from '../ui/trail.tsx'
import { OpenedDeployment } from './opened-deployment.tsx'

export function HomePage() {
  const user = useUser()
  const servers = useQuery(serverCountQuery)
  const applications = useQuery(applicationCountQuery)
  const deploys = useQuery(deploymentCountQuery)
  useSetTrail([{ label: 'Home' }])
  return (
    <>
      <h1 className="text-xl font-semibold tracking-tight wrap-anywhere">Welcome back, {user.name}</h1>
      <section aria-label="Counts" className="grid grid-cols-3 gap-4 max-sm:gap-2">
        <Figure
          label="Servers"
          icon={Server}
          value={servers.data}
          failed={servers.isError}
          note="Total"
          to={paths.servers}
        />
        <Figure
          label="Applications"
          icon={Boxes}
          value={applications.data}
          failed={applications.isError}
          note="Total"
          to={paths.applications}
        />
        <Figure
          label="Deploys"
          icon={Rocket}
          value={deploys.data}
          failed={deploys.isError}
          note="Last 30 days"
        />
      </section>
      <LatestDeployments />
      <OpenedDeployment />
    </>
  )
}
