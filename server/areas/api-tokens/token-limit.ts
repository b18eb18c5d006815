import { type RawBuilder, sql } from 'kysely'
import type { Resource } from '../../../contract/endpoint.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { TokenLimit } from '../../route.ts'
import type { Db } from '../../tables.ts'
import { Problem } from '../../errors.ts'

export interface TargetNames {
  params: unknown
  query: unknown
}

/**
 * Returns the SQL condition that the application `application` is within the limit of the token; true without a limit.
 */
export function withinLimit(limit: TokenLimit | undefined, application: string): RawBuilder<boolean> {
  if (!limit) return sql<boolean>`true`
  return 'projects' in limit
    ? sql<boolean>`${sql.ref(`${application}.project_id`)} = any (${limit.projects})`
    : sql<boolean>`${sql.ref(`${application}.id`)} = any (${limit.applications})`
}

/** Returns whether the request is within the limit of the token. Endpoints without a declared resource never are. */
export async function isRequestWithinLimit(
  db: Db,
  limit: TokenLimit,
  workspaceId: Id<'workspace'>,
  resource: Resource | undefined,
  { params, query }: TargetNames,
): Promise<boolean> {
  if (resource === undefined) return false
  if (resource === 'none' || resource === 'filtered') return true
  const id = textOf(params, 'id')
  if (resource === 'project') return 'projects' in limit && limit.projects.some((project) => project === id)
  const named =
    resource === 'containers' ? textOf(query, 'containers').split(',') : [nameOf(resource, params)]
  for (const name of new Set(named)) {
    const from = applicationOf(resource, workspaceId, id, name)
    const { rows } = await sql`select 1 from ${from} and ${withinLimit(limit, 'a')}`.execute(db)
    if (rows.length === 0) return false
  }
  return true
}

type ApplicationPart = Exclude<Resource, 'none' | 'filtered' | 'project'>

const paramOf = { container: 'cid', command: 'command_id' } as const

const nameOf = (resource: ApplicationPart, params: unknown) =>
  textOf(params, resource === 'container' || resource === 'command' ? paramOf[resource] : 'id')

/**
 * Returns the SQL for the application `a` that a resource belongs to. Containers are matched by full ID, because names
 * can be reused.
 */
function applicationOf(
  resource: ApplicationPart,
  workspaceId: Id<'workspace'>,
  serverId: string,
  name: string,
): RawBuilder<unknown> {
  const container = sql`instances i join applications a on a.id = i.application_id`
  const there = sql`a.workspace_id = ${workspaceId} and i.server_id = ${serverId}`
  if (resource === 'application')
    return sql`applications a where a.workspace_id = ${workspaceId} and a.id = ${name}`
  if (resource === 'deployment')
    return sql`deployments d join applications a on a.id = d.application_id
      where a.workspace_id = ${workspaceId} and d.id = ${name}`
  if (resource === 'command')
    return sql`${container} join commands c on c.container_id = i.container_id and c.server_id = i.server_id
      where ${there} and c.id = ${name}`
  return sql`${container} where ${there} and i.container_id = ${name}`
}

const textOf = (from: unknown, name: string): string => {
  const value: unknown = Object(from)[name]
  return typeof value === 'string' ? value : ''
}

export const scopeTooNarrow = (has: string, needed: string) =>
  new Problem(
    403,
    'scope_too_narrow',
    `This API token has the scope ${has}, but this request requires the scope ${needed}. Create a token with this scope.`,
  )

export const tokenLimited = () =>
  new Problem(403, 'token_limited', 'This API token is limited to other projects or applications.')
