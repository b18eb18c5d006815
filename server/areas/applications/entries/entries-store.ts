import { type Insertable, type Selectable, sql } from 'kysely'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Db, Tables } from '../../../tables.ts'

export type VariableRow = Selectable<Tables['variables']>
export type ProjectVariableRow = Selectable<Tables['project_variables']>
export type LabelRow = Selectable<Tables['labels']>
export type VolumeRow = Selectable<Tables['volumes']>
export type PortRow = Selectable<Tables['published_ports']>

export interface Entry {
  id: string
  position: number
}

export type EntryTable = 'variables' | 'labels' | 'volumes' | 'project_variables'

const listEntryRows =
  <T extends EntryTable, K extends 'application' | 'project'>(table: T, owner: K) =>
  async (db: Db, workspaceId: Id<'workspace'>, id: Id<K>): Promise<Selectable<Tables[T]>[]> => {
    const { rows } = await sql<Selectable<Tables[T]>>`
      select * from ${sql.table(table)}
      where workspace_id = ${workspaceId} and ${sql.ref(`${owner}_id`)} = ${id} order by position, id`.execute(
      db,
    )
    return rows
  }

export const listVariableRows = listEntryRows('variables', 'application')
export const listLabelRows = listEntryRows('labels', 'application')
export const listVolumeRows = listEntryRows('volumes', 'application')
export const listProjectVariableRows = listEntryRows('project_variables', 'project')

export const listPortRows = (db: Db, workspaceId: Id<'workspace'>, id: Id<'application'>) =>
  db
    .selectFrom('published_ports')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('application_id', '=', id)
    .orderBy('source')
    .orderBy('host')
    .execute()

export const upsertPorts = (
  db: Db,
  workspaceId: Id<'workspace'>,
  rows: Insertable<Tables['published_ports']>[],
) =>
  rows.length === 0
    ? undefined
    : db
        .insertInto('published_ports')
        .values(rows.map((row) => ({ ...row, workspace_id: workspaceId })))
        .onConflict((conflict) =>
          conflict.columns(['application_id', 'host', 'source']).doUpdateSet((row) => ({
            service: row.ref('excluded.service'),
            target: row.ref('excluded.target'),
          })),
        )
        .execute()
