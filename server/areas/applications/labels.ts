import type { z } from 'zod'
import type { applicationLabel } from '../../../contract/application-entries.ts'
import type { Pair } from '../../../contract/entries.ts'
import type { Id } from '../../../contract/ids.ts'
import type { Context } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import type { Actor } from '../../route.ts'
import { getApplicationRow } from './application.ts'
import { type LabelRow, listLabelRows } from './entries-store.ts'
import type { EntryKind } from './entry-list.ts'
import { ofApplication } from './of-application.ts'

export const labels: EntryKind<LabelRow, Pair> = {
  table: 'labels',
  field: 'labels',
  what: 'label',
  name: 'key',
  nameOf: ({ key }) => key,
  list: listLabelRows,
  make: (_ctx, application, { key, value }, position) => ({
    id: newId('label'),
    workspace_id: application.workspace_id,
    application_id: application.id,
    position,
    key,
    value,
  }),
  ...ofApplication('application.labels_changed', 'The labels'),
  change: (_ctx, row, { key, value }) => ({ ...row, key, value }),
}

export async function listLabels(ctx: Context, actor: Actor, id: Id<'application'>) {
  await getApplicationRow(ctx, actor, id)
  return (await listLabelRows(ctx.db, actor.workspace.id, id)).map(presentLabel)
}

export const presentLabel = ({ id, key, value }: LabelRow): z.input<typeof applicationLabel> => ({
  id,
  key,
  value,
})
