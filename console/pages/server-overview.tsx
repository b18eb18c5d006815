import { may } from '../../contract/permissions.ts'
import { ServerApplications } from '../areas/applications/server-applications.tsx'
import { ServerCharts } from '../areas/metrics/server-charts.tsx'
import { CreationCard } from '../areas/servers/creation-card.tsx'
import { isSilent } from '../areas/servers/creation-words.ts'
import { NextStep } from '../areas/servers/next-step.tsx'
import type { Server } from '../areas/servers/queries.ts'
import { ServerFacts } from '../areas/servers/server-facts.tsx'
import { SetupCard } from '../areas/servers/setup-card.tsx'
import { useWorkspace } from '../areas/workspaces/queries.ts'
import { LetIn } from './let-in.tsx'
import { WaitingWaysOut } from './waiting-ways-out.tsx'

export function ServerOverview({ server, manages }: { server: Server; manages: boolean }) {
  const isGone = server.cloud?.status === 'deleted'
  const deploys = may(useWorkspace().role, 'applications.manage') && server.status !== 'deleting' && !isGone
  // The line to paste is for one where Slipway has never been; in one that moved, its key lies already.
  const isNew = server.status === 'pending' && server.last_seen_at === null && !server.offered_host_key
  return (
    <>
      <CreationCard server={server} waysOut={manages && <WaitingWaysOut server={server} />} />
      {manages &&
        !isGone &&
        (server.cloud && isNew ? <LetIn id={server.id} opened /> : <NextStep server={server} />)}
      {manages && !isGone && isSilent(server) && <LetIn id={server.id} />}
      <SetupCard server={server} manages={manages} />
      <ServerFacts server={server} />
      {server.last_seen_at !== null && <ServerApplications serverId={server.id} manages={deploys} />}
      {server.last_seen_at !== null && <ServerCharts serverId={server.id} />}
    </>
  )
}
