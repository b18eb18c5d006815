import type { Id } from '../../../contract/shared/ids.ts'
import type { Config } from '../../config.ts'

type UrlConfig = Pick<Config, 'PUBLIC_URL'>

/** Console URL that switches the user to this workspace. */
export function workspaceUrl(link: string, workspaceId: Id<'workspace'>): string {
  const url = new URL(link)
  url.searchParams.set('workspace', workspaceId)
  return url.href
}

export const billingUrl = ({ PUBLIC_URL }: UrlConfig) => `${PUBLIC_URL}/dashboard/billing`

export const choosePlanUrl = (here: UrlConfig, workspaceId: Id<'workspace'>) =>
  workspaceUrl(`${billingUrl(here)}/choose-plan`, workspaceId)
