import type { z } from 'zod'
import type { environmentVariable } from '../../../../contract/application-entries.ts'
import type { Pair } from '../../../../contract/shared/entries.ts'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import { newId } from '../../../platform/ids.ts'
import { type Actor, hasPermission } from '../../../route.ts'
import { getApplicationRow, withLockedApplication } from '../application.ts'
import { listVariableRows, sealedEntries, type VariableRow, listInheritedVariables } from '../config.ts'
import { applicationEntries, type EntryKind } from './entry-list.ts'
import { changeVariables } from '../compose-token-limit.ts'

const sealed = sealedEntries('variables')

export const variables: EntryKind<VariableRow, Pair, z.input<typeof environmentVariable>> = {
  table: 'variables',
  field: 'env',
  what: 'variable',
  name: 'key',
  getName: ({ key }) => key,
  list: listVariableRows,
  create: (ctx, application, input, position) => {
    const id = newId('variable')
    return {
      id,
      workspace_id: application.workspace_id,
      application_id: application.id,
      position,
      ...sealed.seal(ctx, id, input),
    }
  },
  change: sealed.change,
  present: (ctx, row) => presentVariable(ctx, row),
  ...applicationEntries('application.environment_changed'),
  within: (ctx, actor, id, work) =>
    withLockedApplication(ctx, actor, id, (trx, application) =>
      changeVariables(ctx, trx, actor, [application], () => work(trx, application)),
    ),
}

export async function listVariables(ctx: Context, actor: Actor, id: Id<'application'>, values: boolean) {
  const application = await getApplicationRow(ctx, actor, id)
  const rows = await listVariableRows(ctx.db, actor.workspace.id, id)
  const withValues = values && hasPermission(actor, 'applications.manage')
  return {
    env: rows.map((row) => presentVariable(ctx, row, withValues)),
    inherited: await listInheritedVariables(ctx, application, {
      own: new Set(rows.map(({ key }) => key)),
      withValues: values && hasPermission(actor, 'projects.manage'),
    }),
  }
}

const presentVariable = (
  ctx: Pick<Context, 'secrets'>,
  row: VariableRow,
  withValue?: boolean,
): z.input<typeof environmentVariable> => ({ id: row.id, ...sealed.present(ctx, row, withValue) })
