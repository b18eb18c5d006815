import type { Id } from '../../../contract/shared/ids.ts'
import type { Config } from '../../config.ts'

type Here = Pick<Config, 'PUBLIC_URL'>

/** Console URL that switches the user to this workspace. */
export function inWorkspace(link: string, workspaceId: Id<'workspace'>): string {
  const url = new URL(link)
  url.searchParams.set('workspace', workspaceId)
  return url.href
}

export const billingUrl = ({ PUBLIC_URL }: Here) => `${PUBLIC_URL}/dashboard/billing`

export const choosePlanUrl = (here: Here, workspaceId: Id<'workspace'>) =>
  inWorkspace(`${billingUrl(here)}/choose-plan`, workspaceId)
