import { may } from '../../contract/permissions.ts'
import { ServerApplications } from '../areas/applications/server-applications.tsx'
import { ServerCharts } from '../areas/metrics/server-charts.tsx'
import { NextStep } from '../areas/servers/next-step.tsx'
import type { Server } from '../areas/servers/queries.ts'
import { ServerFacts } from '../areas/servers/server-facts.tsx'
import { SetupCard } from '../areas/servers/setup-card.tsx'
import { useWorkspace } from '../areas/workspaces/queries.ts'

export function ServerOverview({ server, manages }: { server: Server; manages: boolean }) {
  const deploys = may(useWorkspace().role, 'applications.manage')
  return (
    <>
      {manages && <NextStep server={server} />}
      <SetupCard server={server} manages={manages} />
      <ServerFacts server={server} />
      {server.last_seen_at !== null && <ServerApplications serverId={server.id} manages={deploys} />}
      {server.last_seen_at !== null && <ServerCharts serverId={server.id} />}
    </>
  )
}
