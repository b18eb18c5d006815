import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { LogIn } from './hub.ts'
import { dockerHub, placeOf } from './image-place.ts'
import { listRegistriesFor, type RegistryRow } from './store.ts'

/** What the workspace has for an image. */
export interface Credentials {
  registry: RegistryRow
  logIn: LogIn
}

export const passwordPlace = (id: Id<'registry'>) => `registries.password_sealed:${id}`

export const logInOf = ({ secrets }: Context, { id, username, password_sealed }: RegistryRow): LogIn => ({
  username,
  password: secrets.open(passwordPlace(id), password_sealed),
})

/** Of the registry whose scope says most about the image. */
export async function findCredentials(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  image: string,
): Promise<Credentials | undefined> {
  const { host, path } = placeOf(image)
  const [registry] = await listRegistriesFor(ctx.db, workspaceId, host, path)
  return registry && { registry, logIn: logInOf(ctx, registry) }
}

/** As Docker takes them with a pull. */
export function pullHeaders(credentials: Credentials | undefined): Record<string, string> {
  if (!credentials) return {}
  const { registry, logIn } = credentials
  const serveraddress = registry.host === dockerHub ? 'https://index.docker.io/v1/' : registry.host
  const text = Buffer.from(JSON.stringify({ ...logIn, serveraddress })).toString('base64')
  return { 'x-registry-auth': text.replaceAll('+', '-').replaceAll('/', '_') }
}
