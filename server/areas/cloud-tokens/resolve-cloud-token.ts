import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { conflict, Invalid } from '../../errors.ts'
import type { Actor } from '../../route.ts'
import { type CloudTokenRow, getCloudTokenRow, getProvider } from './cloud-token.ts'
import { findDefaultToken } from './store.ts'

/** Returns the named token for a provider, or the default one. */
export async function resolveCloudToken(
  ctx: Context,
  actor: Actor,
  p: string,
  id: Id<'cloudToken'> | undefined,
): Promise<CloudTokenRow> {
  const provider = getProvider(p)
  if (id !== undefined) {
    const row = await getCloudTokenRow(ctx, actor, id)
    if (row.provider === p) return row
    throw new Invalid({
      cloud_token_id: [`${row.name} is not a ${provider.name} token. Choose another.`],
    })
  }
  const row = await findDefaultToken(ctx.db, actor.workspace.id, p)
  if (row) return row
  throw conflict(
    'no_cloud_token',
    `The workspace has no ${provider.name} token. Add one in Settings under Cloud tokens.`,
  )
}
