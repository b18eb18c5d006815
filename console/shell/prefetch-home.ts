import { homeApplicationsQuery } from '../areas/applications/queries.ts'
import { latestDeploymentsQuery } from '../areas/deployments/queries.ts'
import { homeQuery } from '../areas/home/queries.ts'
import { serversQuery } from '../areas/servers/queries.ts'
import { userQuery } from '../areas/user/queries.ts'
import { currentWorkspaceQuery } from '../areas/workspaces/queries.ts'
import { isLocked } from '../areas/workspaces/workspace-plan.ts'
import { queryClient } from '../lib/http/query-client.ts'
import { readToken } from '../lib/http/session.ts'
import { isDashboard } from '../lib/return-url.ts'
import { paths } from '../paths.ts'

/** Fetches the data of the shell and of Home while their code loads. */
export async function prefetchHome({ pathname, search }: Location): Promise<void> {
  if (readToken() === null || !isDashboard(pathname)) return
  void queryClient.prefetchQuery(userQuery)
  await queryClient.prefetchQuery(currentWorkspaceQuery)
  const workspace = queryClient.getQueryData(currentWorkspaceQuery.queryKey)
  // A link with `?workspace=` first switches to another workspace.
  if (pathname !== paths.home || search.includes('workspace=') || !workspace) return
  if (workspace.locked || isLocked(workspace)) return
  void queryClient.prefetchQuery(homeQuery)
  void queryClient.prefetchQuery(homeApplicationsQuery)
  void queryClient.prefetchQuery(latestDeploymentsQuery)
  void queryClient.prefetchInfiniteQuery(serversQuery(''))
}
