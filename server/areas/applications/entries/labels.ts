import type { z } from 'zod'
import type { applicationLabel } from '../../../../contract/application-entries.ts'
import type { Pair } from '../../../../contract/shared/entries.ts'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import { newId } from '../../../platform/ids.ts'
import { type Actor, hasPermission } from '../../../route.ts'
import { getApplicationRow } from '../application.ts'
import { type LabelRow, listLabelRows, sealedEntries } from '../config.ts'
import { applicationEntries, type EntryKind } from './entry-list.ts'

/** Labels may hold secrets, such as a password for a proxy, so they are sealed. */
const { open, sealValue } = sealedEntries('labels')

export const labels: EntryKind<LabelRow, Pair, z.input<typeof applicationLabel>> = {
  table: 'labels',
  field: 'labels',
  what: 'label',
  name: 'key',
  getName: ({ key }) => key,
  list: listLabelRows,
  create: (ctx, application, { key, value }, position) => {
    const id = newId('label')
    return {
      id,
      workspace_id: application.workspace_id,
      application_id: application.id,
      position,
      key,
      value_sealed: sealValue(ctx, id, value),
    }
  },
  ...applicationEntries('application.labels_changed', 'The labels'),
  change: (ctx, row, { key, value }) =>
    row.key === key && open(ctx, row) === value
      ? row
      : { ...row, key, value_sealed: sealValue(ctx, row.id, value) },
  present: (ctx, row) => presentLabel(ctx, row),
}

export async function listLabels(ctx: Context, actor: Actor, id: Id<'application'>) {
  await getApplicationRow(ctx, actor, id)
  const labels = (await listLabelRows(ctx.db, actor.workspace.id, id)).map((row) => presentLabel(ctx, row))
  return hasPermission(actor, 'applications.manage')
    ? labels
    : labels.map((label) => ({ ...label, value: null }))
}

const presentLabel = (ctx: Pick<Context, 'secrets'>, row: LabelRow): z.input<typeof applicationLabel> => ({
  id: row.id,
  key: row.key,
  value: open(ctx, row),
})
