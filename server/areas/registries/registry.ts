import type { z } from 'zod'
import type { Id } from '../../../contract/shared/ids.ts'
import type { registry } from '../../../contract/registries.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { emit } from '../../events.ts'
import type { SearchQuery } from '../../platform/pagination.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import { deleteRegistryRow, findRegistryRow, listRegistryRows, type RegistryRow } from './store.ts'

export const presentRegistry = (row: RegistryRow): z.input<typeof registry> => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  host: row.host,
  scope: row.scope,
  username: row.username,
  error: row.error,
  checked_at: row.checked_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
})

export const registryTarget = ({ id, name }: Pick<RegistryRow, 'id' | 'name'>) => ({
  kind: 'registry',
  id,
  name,
})

export async function listRegistries(ctx: Context, actor: Actor, query: SearchQuery) {
  const { rows, page } = await listRegistryRows(ctx.db, actor.workspace.id, query)
  return { registries: rows.map(presentRegistry), page }
}

export async function getRegistryRow(ctx: Context, actor: Actor, id: Id<'registry'>): Promise<RegistryRow> {
  const row = await findRegistryRow(ctx.db, actor.workspace.id, id)
  if (!row) throw notFound('This registry')
  return row
}

export const deleteRegistry = (ctx: Context, actor: Actor, id: Id<'registry'>) =>
  transaction(ctx.db, async (trx) => {
    const deleted = await deleteRegistryRow(trx, actor.workspace.id, id)
    if (!deleted) throw notFound('This registry')
    await emit(trx, actor, actor.workspace.id, 'registry.deleted', registryTarget({ id, name: deleted.name }))
  })
