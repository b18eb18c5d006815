import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { serversQuery } from '../areas/servers/queries.ts'
import { userQuery } from '../areas/user/queries.ts'
import { currentWorkspaceQuery } from '../areas/workspaces/queries.ts'
import { storeToken } from '../lib/http/session.ts'
import { consumeLoginMark } from '../areas/auth/github-button.tsx'
import { consumeReturnUrl } from '../lib/return-url.ts'
import { paths } from '../paths.ts'

export function useStartSession() {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async (token: string) => {
    storeToken(token)
    // Without its mark, an abandoned login cannot replace this session later.
    consumeLoginMark()
    await Promise.all([client.prefetchQuery(userQuery), client.prefetchQuery(currentWorkspaceQuery)])
    if (client.getQueryData(currentWorkspaceQuery.queryKey))
      await client.prefetchInfiniteQuery(serversQuery(''))
    await navigate(consumeReturnUrl() ?? paths.home, { replace: true })
  }
}
