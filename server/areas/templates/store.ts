import { type Insertable, type Selectable, sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import { containsPattern } from '../../platform/pagination.ts'
import type { Db, Tables, Trx } from '../../tables.ts'

export type TemplateRow = Selectable<Tables['templates']>

/** Row of a list, without the files, which can be large. */
export type ListedRow = Omit<
  TemplateRow,
  'workspace_id' | 'template_sealed' | 'compose_sealed' | 'created_at'
>

export interface TemplateFilter {
  q?: string | undefined
  category?: string | undefined
}

export async function listTemplateRows(
  db: Db,
  workspaceId: Id<'workspace'>,
  { q, category }: TemplateFilter,
): Promise<ListedRow[]> {
  const { rows } = await sql<ListedRow>`
    select id, name, description, category, listed, updated_at from templates where workspace_id = ${workspaceId}
      and (${q ?? ''} = '' or name ilike ${containsPattern(q ?? '')} or description ilike ${containsPattern(q ?? '')})
      and (${category ?? ''} = '' or category = ${category ?? ''})`.execute(db)
  return rows
}

export const findTemplateRow = (db: Db, workspaceId: Id<'workspace'>, id: Id<'template'>) =>
  db
    .selectFrom('templates')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()

export async function lockAndCountTemplates(trx: Trx, workspaceId: Id<'workspace'>): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`templates:${workspaceId}`}, 0))`.execute(trx)
  const { rows } = await sql<{ many: number }>`
    select count(*)::integer as many from templates where workspace_id = ${workspaceId}`.execute(trx)
  return rows[0]?.many ?? 0
}

export const insertTemplate = (db: Db, row: Insertable<Tables['templates']>): Promise<TemplateRow> =>
  db.insertInto('templates').values(row).returningAll().executeTakeFirstOrThrow()

export const deleteTemplateRow = (db: Db, workspaceId: Id<'workspace'>, id: Id<'template'>) =>
  db
    .deleteFrom('templates')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
