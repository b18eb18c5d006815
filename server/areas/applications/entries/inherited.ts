import type { Pair } from '../../../../contract/shared/entries.ts'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../tables.ts'
import { listProjectVariableRows } from './entries-store.ts'
import { sealedEntries } from './sealed-entries.ts'

const { open } = sealedEntries('project_variables')

export async function readInherited(
  ctx: Pick<Context, 'secrets'>,
  db: Db,
  workspaceId: Id<'workspace'>,
  projectId: Id<'project'> | null,
): Promise<Pair[]> {
  if (projectId === null) return []
  const rows = await listProjectVariableRows(db, workspaceId, projectId)
  return rows.map((row) => ({ key: row.key, value: open(ctx, row) }))
}

/** Variables of the application override those of the project with the same key. */
export function withInherited(inherited: readonly Pair[], own: readonly Pair[]): Pair[] {
  const keys = new Set(own.map(({ key }) => key))
  return [...inherited.filter(({ key }) => !keys.has(key)), ...own]
}
