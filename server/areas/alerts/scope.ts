import type { AlertScope } from '../../../contract/shared/alert-kinds.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { Invalid } from '../../errors.ts'
import type { Db } from '../../tables.ts'
import { listNames } from './store.ts'

interface Given {
  kind: AlertScope
  id: string | null
}

/** What an id of a scope names: a container is found by its server. */
const namedBy = { server: 'server', container: 'server', project: 'project', application: 'application' }

/** 422 for what is not in the workspace. */
export async function mustBeThere(db: Db, workspaceId: Id<'workspace'>, { kind, id }: Given): Promise<void> {
  if (kind === 'all' || id === null) return
  const names = await listNames(db, workspaceId, [id])
  if (!names.has(`${namedBy[kind]} ${id}`))
    throw new Invalid({ 'scope.id': [`This ${namedBy[kind]} does not exist in this workspace.`] })
}

/** What these are called that alerts are narrowed to; nothing for what is gone. */
export async function namesOf(
  db: Db,
  workspaceId: Id<'workspace'>,
  scopes: readonly Given[],
): Promise<(scope: Given) => string | null> {
  const ids = scopes.flatMap(({ id }) => id ?? [])
  const names = ids.length > 0 ? await listNames(db, workspaceId, ids) : new Map<string, string>()
  return ({ kind, id }) => (kind === 'all' ? null : (names.get(`${namedBy[kind]} ${id}`) ?? null))
}
