import type { Id } from '../../../contract/shared/ids.ts'
import {
  isRoleAtLeast,
  type Permission,
  type Role,
  type Scope,
  type ShellAccess,
} from '../../../contract/shared/permissions.ts'
import type { Context } from '../../context.ts'
import { unauthenticated } from '../../errors.ts'
import type { Bus } from '../../platform/bus.ts'
import { InvalidatedCache } from '../../platform/cache.ts'
import { hashToken } from '../../platform/tokens.ts'
import { type Actor, type Anonymous, hasPermission, type TokenLimit, type User } from '../../route.ts'
import { sessionDays, sessionMaxDays } from './session.ts'
import { firstMembership, setCurrentWorkspace } from './store.ts'

/** A caller found by session or API token, without the data of the request. */
export type KnownCaller = Omit<User, keyof Anonymous>

type AuthenticationRow = TokenOwner &
  (
    | { kind: 'session'; id: Id<'session'> }
    | {
        kind: 'api_token'
        id: Id<'apiToken'>
        scope: Scope
        projects: Id<'project'>[] | null
        applications: Id<'application'>[] | null
      }
  )

interface TokenOwner {
  user_id: Id<'user'>
  name: string
  email: string
  workspace_id: Id<'workspace'> | null
  role: Role | null
  shell_access: ShellAccess | null
  most: Role | null
  instance_owner: boolean
  locked: boolean | null
  stale: boolean
  expires_at: Date | null
}

// Every request runs this query, so one prepared statement covers sessions and API tokens.
const text = `
  select 'session' as kind, s.id, s.user_id, u.name, u.email, m.workspace_id, m.role, null as most,
    u.instance_owner, w.locked_at is not null as locked, w.shell_access,
    s.last_seen_at < now() - interval '1 minute' as stale, s.expires_at,
    null as scope, null as projects, null as applications
  from sessions s join users u on u.id = s.user_id
  left join members m on m.workspace_id = s.workspace_id and m.user_id = s.user_id
  left join workspaces w on w.id = m.workspace_id
  where s.token_hash = $1 and s.expires_at > now() and u.locked_at is null
  union all
  select 'api_token', t.id, t.user_id, u.name, u.email, m.workspace_id, m.role, t.role,
    u.instance_owner, w.locked_at is not null, w.shell_access,
    t.last_used_at is null or t.last_used_at < now() - interval '1 minute', t.expires_at,
    t.scope, t.projects, t.applications
  from api_tokens t join users u on u.id = t.user_id
  join members m on m.workspace_id = t.workspace_id and m.user_id = t.user_id
  join workspaces w on w.id = m.workspace_id
  where t.token_hash = $1 and u.locked_at is null and (t.expires_at is null or t.expires_at > now())`

export const createAccessCache = (bus: Bus) => new InvalidatedCache<KnownCaller>(bus, 'access')

export const authenticate = (ctx: Context, token: string) => authenticateHash(ctx, hashToken(token))

export const authenticateHash = (ctx: Context, tokenHash: string): Promise<KnownCaller> =>
  ctx.accessCache.get(tokenHash, () => findByToken(ctx, tokenHash))

async function findByToken(ctx: Context, tokenHash: string): Promise<{ value: KnownCaller; until: number }> {
  const result = await ctx.pool.query<AuthenticationRow>({ name: 'authenticate', text, values: [tokenHash] })
  const row = result.rows[0]
  if (!row) throw unauthenticated()
  if (row.stale) updateLastUse(ctx, row)
  return {
    value: await toAuthenticatedUser(ctx, row, tokenHash),
    until: row.expires_at?.getTime() ?? Number.POSITIVE_INFINITY,
  }
}

async function toAuthenticatedUser(
  ctx: Context,
  row: AuthenticationRow,
  tokenHash: string,
): Promise<KnownCaller> {
  const user = { id: row.user_id, name: row.name, email: row.email }
  const base = { user, tokenHash, isInstanceOwner: row.instance_owner }
  if (row.kind === 'api_token') {
    const { kind, id, scope, projects, applications } = row
    const limit: TokenLimit | undefined = projects
      ? { projects }
      : applications
        ? { applications }
        : undefined
    return { ...base, via: { kind, id, scope, limit }, workspace: workspaceOf(row) }
  }
  const workspace = workspaceOf(row) ?? (await switchToAnotherWorkspace(ctx, row.id, user.id))
  return { ...base, via: { kind: row.kind, id: row.id }, workspace }
}

/** Returns the workspace of the caller. A token never has a higher role than the current role of its owner. */
function workspaceOf({ workspace_id: id, role, most, locked, shell_access }: AuthenticationRow) {
  if (!id || !role || !shell_access) return undefined
  return { id, role: most && !isRoleAtLeast(most, role) ? most : role, locked: locked === true, shell_access }
}

/** A user who was removed from the current workspace continues in another one. */
async function switchToAnotherWorkspace(ctx: Context, session: Id<'session'>, user: Id<'user'>) {
  const member = await firstMembership(ctx.db, user)
  if (!member) return undefined
  await setCurrentWorkspace(ctx.db, session, member.workspace_id)
  const { workspace_id: id, role, locked_at, shell_access } = member
  return { id, role, locked: locked_at !== null, shell_access }
}

/** Records the use of a session or API token, and extends the session expiry. */
function updateLastUse(ctx: Context, { kind, id }: AuthenticationRow) {
  const query =
    kind === 'session'
      ? ctx.pool.query(
          'update sessions set last_seen_at = now(), expires_at = least(now() + make_interval(days => $2), created_at + make_interval(days => $3)) where id = $1',
          [id, sessionDays, sessionMaxDays],
        )
      : ctx.pool.query('update api_tokens set last_used_at = now() where id = $1', [id])
  query.catch((error: unknown) =>
    ctx.log.warn({ reason: String(error) }, 'Failed to save when an API token was last used'),
  )
}

/**
 * Checks a permission again during a long operation, because the actor can be removed or get another role meanwhile.
 */
export async function stillHasPermission(
  ctx: Context,
  actor: Actor,
  permission: Permission,
  also: (now: Pick<Actor, 'workspace' | 'via' | 'isInstanceOwner'>) => boolean = () => true,
): Promise<boolean> {
  const now = await authenticateHash(ctx, actor.tokenHash).catch(() => undefined)
  if (now?.workspace?.id !== actor.workspace.id) return false
  const { workspace, via, isInstanceOwner } = now
  return hasPermission({ via, workspace }, permission) && also({ via, workspace, isInstanceOwner })
}
