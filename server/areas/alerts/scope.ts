import type { AlertScope } from '../../../contract/shared/alert-kinds.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { Invalid } from '../../errors.ts'
import type { Db } from '../../tables.ts'
import { listScopeNames } from './store.ts'

interface ScopeRef {
  kind: AlertScope
  id: string | null
}

/** A container has no stable ID, so its scope refers to its server. */
const namedBy = { server: 'server', container: 'server', project: 'project', application: 'application' }

/** Responds with 422 when the scope is not in the workspace. */
export async function assertScopeExists(
  db: Db,
  workspaceId: Id<'workspace'>,
  { kind, id }: ScopeRef,
): Promise<void> {
  if (kind === 'all' || id === null) return
  const names = await listScopeNames(db, workspaceId, [id])
  if (!names.has(`${namedBy[kind]} ${id}`))
    throw new Invalid({ 'scope.id': [`This ${namedBy[kind]} does not exist in this workspace.`] })
}

/** Omits deleted subjects. */
export async function loadScopeNames(
  db: Db,
  workspaceId: Id<'workspace'>,
  scopes: readonly ScopeRef[],
): Promise<(scope: ScopeRef) => string | null> {
  const ids = scopes.flatMap(({ id }) => id ?? [])
  const names = ids.length > 0 ? await listScopeNames(db, workspaceId, ids) : new Map<string, string>()
  return ({ kind, id }) => (kind === 'all' ? null : (names.get(`${namedBy[kind]} ${id}`) ?? null))
}
