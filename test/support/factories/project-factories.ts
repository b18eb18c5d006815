import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../../server/context.ts'
import { newId } from '../../../server/platform/ids.ts'
import { sealedEntries } from '../../../server/areas/applications/config.ts'

export async function makeProject(
  { db, secrets }: Pick<Context, 'db' | 'secrets'>,
  workspace_id: Id<'workspace'>,
  name: string,
  variables: Record<string, string> = {},
): Promise<Id<'project'>> {
  const id = newId('project')
  await db.insertInto('projects').values({ id, workspace_id, name }).execute()
  for (const [position, [key, value]] of Object.entries(variables).entries()) {
    const env = newId('projectVariable')
    const now = () => new Date()
    const sealed = sealedEntries('project_variables').seal({ secrets, now }, env, { key, value })
    const row = { id: env, workspace_id, project_id: id, position, ...sealed }
    await db.insertInto('project_variables').values(row).execute()
  }
  return id
}
