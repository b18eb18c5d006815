import { z } from 'zod'
import type { Context } from '../../context.ts'
import { integrationNotConfigured } from '../../errors.ts'
import { readGitHub } from '../auth/github-api.ts'
import { findGitHubApp } from '../auth/github-app.ts'
import { GitHubRequestFailed } from '../auth/github-errors.ts'
import { appToken } from './app-token.ts'
import type { Integration } from './integration.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { emit } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'

const answer = z.object({ suspended_at: z.string().nullish() })

export async function readInstallationStatus(ctx: Context, id: number): Promise<Integration['status']> {
  const app = await findGitHubApp(ctx)
  if (!app) throw integrationNotConfigured('GitHub')
  try {
    const request = { path: `/app/installations/${id}`, token: appToken(app) }
    const { value } = await readGitHub(ctx, request, answer)
    return value.suspended_at ? 'suspended' : 'active'
  } catch (error) {
    if (error instanceof GitHubRequestFailed && error.answered === 404) return 'removed'
    throw error
  }
}

const eventDetails = {
  active: 'to active again, at GitHub',
  suspended: 'to suspended, at GitHub',
  removed: 'to removed, at GitHub',
}

export const updateInstallationStatus = (
  ctx: Context,
  workspaceId: Id<'workspace'>,
  installation: number,
  status: keyof typeof eventDetails,
): Promise<void> =>
  transaction(ctx.db, async (trx) => {
    const changed = await trx
      .updateTable('integrations')
      .set({ status })
      .where('workspace_id', '=', workspaceId)
      .where('provider', '=', 'github')
      .where('installation_id', '=', installation)
      .where('status', '<>', status)
      .returning(['id', 'account'])
      .execute()
    for (const { id, account } of changed)
      await emit(
        trx,
        'slipway',
        workspaceId,
        'integration.changed',
        { kind: 'integration', id, name: account },
        eventDetails[status],
      )
  })
