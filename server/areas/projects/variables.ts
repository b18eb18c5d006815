import type { z } from 'zod'
import type { Pair } from '../../../contract/shared/entries.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { projectVariable } from '../../../contract/projects.ts'
import type { Context } from '../../context.ts'
import { emit } from '../../events.ts'
import { newId } from '../../platform/ids.ts'
import { type Actor, hasPermission } from '../../route.ts'
import {
  listProjectVariableRows,
  type ProjectVariableRow,
  sealedEntries,
  presentProjectVariable,
} from '../applications/config.ts'
import type { EntryKind } from '../applications/entries/entry-list.ts'
import { changeVariables } from '../applications/compose-token-limit.ts'
import { summarizeNames } from '../applications/application.ts'
import type { ProjectRow } from './store.ts'
import { getProjectRow, projectTarget, withProject } from './project.ts'

const sealed = sealedEntries('project_variables')

/** Shared environment variables of a project; `applications/config.ts` merges them into its applications. */
export const projectVariables: EntryKind<
  ProjectVariableRow,
  Pair,
  z.input<typeof projectVariable>,
  ProjectRow
> = {
  table: 'project_variables',
  field: 'env',
  what: 'variable',
  name: 'key',
  getName: ({ key }) => key,
  list: listProjectVariableRows,
  create: (ctx, project, input, position) => {
    const id = newId('projectVariable')
    return {
      id,
      workspace_id: project.workspace_id,
      project_id: project.id,
      position,
      ...sealed.seal(ctx, id, input),
    }
  },
  change: sealed.change,
  present: (ctx, row) => presentProjectVariable(ctx, row),
  within: (ctx, actor, id, work) =>
    withProject(ctx, actor, id, async (trx, project) => {
      const applications = await trx
        .selectFrom('applications')
        .selectAll()
        .where('workspace_id', '=', actor.workspace.id)
        .where('project_id', '=', id)
        .where('compose_sealed', 'is not', null)
        .where('deleting_at', 'is', null)
        .execute()
      return changeVariables(ctx, trx, actor, applications, () => work(trx, project))
    }),
  note: (trx, actor, project, names) =>
    emit(
      trx,
      actor,
      project.workspace_id,
      'project.environment_changed',
      projectTarget(project),
      summarizeNames(names),
    ),
}

export async function listProjectVariables(ctx: Context, actor: Actor, id: Id<'project'>, values: boolean) {
  await getProjectRow(ctx, actor, id)
  const withValues = values && hasPermission(actor, 'projects.manage')
  const rows = await listProjectVariableRows(ctx.db, actor.workspace.id, id)
  return rows.map((row) => presentProjectVariable(ctx, row, withValues))
}
