import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { RegistryLogin } from './docker-hub.ts'
import { dockerHub, readImageLocation } from './image-location.ts'
import { listRegistriesFor, type RegistryRow } from './store.ts'

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

export function pullHeaders(credentials: RegistryCredentials | undefined): Record<string, string> {
  if (!credentials) return {}
  const { registry, logIn } = credentials
  const serveraddress = registry.host === dockerHub ? 'https://index.docker.io/v1/' : registry.host
  const text = Buffer.from(JSON.stringify({ ...logIn, serveraddress })).toString('base64')
  return { 'x-registry-auth': text.replaceAll('+', '-').replaceAll('/', '_') }
}
