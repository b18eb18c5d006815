import type { z } from 'zod'
import type { environmentVariable } from '../../../contract/application-entries.ts'
import type { Pair } from '../../../contract/entries.ts'
import type { Id } from '../../../contract/ids.ts'
import { may } from '../../../contract/permissions.ts'
import type { Context } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import type { Actor } from '../../route.ts'
import { getApplicationRow } from './application.ts'
import { valuePlace } from './config.ts'
import { listVariableRows, type VariableRow } from './entries-store.ts'
import type { EntryKind } from './entry-list.ts'

export const variables: EntryKind<VariableRow, Pair> = {
  table: 'variables',
  field: 'env',
  what: 'variable',
  event: 'application.environment_changed',
  name: 'key',
  nameOf: ({ key }) => key,
  list: listVariableRows,
  make: (ctx, application, { key, value }, position) => {
    const id = newId('variable')
    return {
      id,
      workspace_id: application.workspace_id,
      application_id: application.id,
      position,
      key,
      value_sealed: ctx.secrets.seal(valuePlace(id), value),
      updated_at: ctx.now(),
    }
  },
  // What stays as it is keeps the time of its last change.
  change: (ctx, row, { key, value }) => {
    const place = valuePlace(row.id)
    if (row.key === key && ctx.secrets.open(place, row.value_sealed) === value) return row
    return { ...row, key, value_sealed: ctx.secrets.seal(place, value), updated_at: ctx.now() }
  },
}

export async function listVariables(ctx: Context, actor: Actor, id: Id<'application'>, values: boolean) {
  await getApplicationRow(ctx, actor, id)
  const withValues = values && may(actor.workspace.role, 'applications.manage')
  const rows = await listVariableRows(ctx.db, actor.workspace.id, id)
  return rows.map((row) => presentVariable(ctx, row, withValues))
}

export const presentVariable = (
  { secrets }: Pick<Context, 'secrets'>,
  row: VariableRow,
  withValue = true,
): z.input<typeof environmentVariable> => ({
  id: row.id,
  key: row.key,
  value: withValue ? secrets.open(valuePlace(row.id), row.value_sealed) : null,
  updated_at: row.updated_at.toISOString(),
})
