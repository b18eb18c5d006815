import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../tables.ts'
import type { RegistryLogin } from './docker-hub.ts'
import type { RegistryRow } from './store.ts'
import { dockerHub, readImageLocation } from './image-reference.ts'

export interface RegistryCredentials {
  registry: RegistryRow
  logIn: RegistryLogin
}

export const passwordSealContext = (id: Id<'registry'>) => `registries.password_sealed:${id}`

export const openRegistryLogin = (
  { secrets }: Context,
  { id, username, password_sealed }: RegistryRow,
): RegistryLogin => ({
  username,
  password: secrets.open(passwordSealContext(id), password_sealed),
})

export async function findCredentials(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  image: string,
): Promise<RegistryCredentials | undefined> {
  const { host, path } = readImageLocation(image)
  const [registry] = await listRegistriesFor(ctx.db, workspaceId, host, path)
  return registry && { registry, logIn: openRegistryLogin(ctx, registry) }
}

/** Lists the most specific scope first. */
const listRegistriesFor = (db: Db, workspaceId: Id<'workspace'>, host: string, path: string) =>
  db
    .selectFrom('registries')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('host', '=', host)
    .where(sql<boolean>`scope = '' or ${path} = scope or starts_with(${path}, scope || '/')`)
    .orderBy(sql`length(scope)`, 'desc')
    .execute()

/**
 * Passes registry credentials with a pull, in place of `docker login` on the server. Docker expects base64url with
 * padding.
 */
export function pullHeaders(credentials: RegistryCredentials | undefined): Record<string, string> {
  if (!credentials) return {}
  const { registry, logIn } = credentials
  const serveraddress = registry.host === dockerHub ? 'https://index.docker.io/v1/' : registry.host
  const text = Buffer.from(JSON.stringify({ ...logIn, serveraddress })).toString('base64')
  return { 'x-registry-auth': text.replaceAll('+', '-').replaceAll('/', '_') }
}
