import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { type InstanceInitiator, recordInstanceEvent } from '../../events.ts'
import { containsPattern, readPage, type SearchQuery } from '../../platform/pagination.ts'
import { transaction } from '../../platform/transaction.ts'
import { releaseHost, requireProof } from '../applications/hosts/release-host.ts'

interface HostNameRow {
  host: string
  workspace_id: Id<'workspace'>
  workspace_name: string
  verified_at: Date | null
  created_at: Date
}

export async function listAllHostNames(ctx: Context, query: SearchQuery) {
  const like = containsPattern(query.q ?? '')
  const { rows, page } = await readPage<HostNameRow>(
    ctx.db,
    {
      from: sql`select n.host, n.workspace_id, w.name as workspace_name, n.verified_at, n.created_at
        from host_names n join workspaces w on w.id = n.workspace_id
        where n.host ilike ${like} or w.name ilike ${like}`,
      order: ['host'],
      direction: 'asc',
    },
    query,
  )
  return {
    host_names: rows.map(({ host, workspace_id, workspace_name, verified_at, created_at }) => ({
      host,
      workspace: { id: workspace_id, name: workspace_name },
      verified_at: verified_at?.toISOString() ?? null,
      created_at: created_at.toISOString(),
    })),
    page,
  }
}

export const releaseHostName = (ctx: Context, initiator: InstanceInitiator, host: string): Promise<void> =>
  transaction(ctx.db, async (trx) => {
    const released = await releaseHost(ctx, trx, host)
    if (!released) throw notFound(`The host name ${host}`)
    await requireProof(ctx, trx, host)
    await recordInstanceEvent(trx, initiator, 'host_name.released', {
      kind: 'host_name',
      id: host,
      name: host,
    })
  })
