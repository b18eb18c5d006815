import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../tables.ts'
import type { RegistryLogin } from './docker-hub.ts'
import type { RegistryRow } from './store.ts'

export interface ImageName {
  repository: string
  /** A digest or tag: without either, Docker pulls every tag. */
  reference: string
}

export function readImageName(name: string): ImageName {
  const [named = '', digest] = name.split('@')
  const colon = named.indexOf(':', named.lastIndexOf('/') + 1)
  const repository = colon < 0 ? named : named.slice(0, colon)
  return { repository, reference: digest ?? (colon < 0 ? 'latest' : named.slice(colon + 1)) }
}

export function writeImageName({ repository, reference }: ImageName): string {
  return `${repository}${reference.includes(':') ? '@' : ':'}${reference}`
}

const part = /^(?!\.{1,2}$)[\w.:@-]+$/

export function imagePath(name: string): string | undefined {
  const parts = name.split('/')
  return parts.every((segment) => part.test(segment))
    ? `/images/${parts.map(encodeURIComponent).join('/')}`
    : undefined
}

/** Prefix of the tags that keep images of releases on a server for rollbacks. */
export const releaseTagPrefix = 'slipway.local/'

export const isReleaseImage = (tags: string[]) => tags.some((tag) => tag.startsWith(releaseTagPrefix))

export const dockerHub = 'docker.io'

/** Docker Hub has several names: people and Docker itself use these. */
export const hubNames = [
  dockerHub,
  'index.docker.io',
  'registry-1.docker.io',
  'registry.hub.docker.com',
  'hub.docker.com',
]

export interface ImageLocation {
  host: string
  path: string
}

/** Splits an image name into registry and repository. The first part is a registry only if it looks like a host. */
export function readImageLocation(name: string): ImageLocation {
  const { repository } = readImageName(name)
  const [first = '', ...rest] = repository.split('/')
  const isHost = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost')
  if (isHost && !hubNames.includes(first.toLowerCase()))
    return { host: first.toLowerCase(), path: rest.join('/') }
  const path = isHost ? rest.join('/') : repository
  return { host: dockerHub, path: path.includes('/') ? path : `library/${path}` }
}

/** A name can look like a host and still have an invalid port or IP address. */
export const isValidRegistryHost = (host: string) => URL.canParse(`https://${host}/`)

export const registryTitle = (host: string) => (host === dockerHub ? 'Docker Hub' : `The registry ${host}`)

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
