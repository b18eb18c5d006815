import { createVerify } from 'node:crypto'
import { z } from 'zod'
import { Refusal } from '../http-service.ts'
import { type Call, notFound, refuse } from './answer.ts'
import type { Repository } from './bare.ts'
import { type App, findRepository, type Grant, type InstallationToken, seesRepository } from './state.ts'

const tokenOf = ({ request }: Call) =>
  /^(?:Bearer|token) (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''

const header = z.object({ alg: z.literal('RS256') })
const claims = z.object({ iss: z.union([z.string(), z.number()]), iat: z.int(), exp: z.int() })

/** The App that signed the JSON web token of this request, which is valid for ten minutes at most. */
export function asApp(call: Call): App {
  const [head = '', body = '', signature = '', ...more] = tokenOf(call).split('.')
  const undecodable = refuse(401, 'A JSON web token could not be decoded')
  if (!signature || more.length > 0) throw undecodable
  const parse = <T>(schema: z.ZodType<T>, part: string): T => {
    try {
      return schema.parse(JSON.parse(Buffer.from(part, 'base64url').toString()))
    } catch {
      throw undecodable
    }
  }
  parse(header, head)
  const { iss, iat, exp } = parse(claims, body)
  const app = call.state.apps.find(({ id, client }) => [String(id), client.id].includes(String(iss)))
  if (!app) throw refuse(401, 'Integration not found')
  const verifier = createVerify('RSA-SHA256').update(`${head}.${body}`)
  if (!verifier.verify(app.publicKey, Buffer.from(signature, 'base64url'))) throw undecodable
  const now = Date.now() / 1000
  if (iat > now + 1)
    throw refuse(
      401,
      "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
    )
  if (exp < now)
    throw refuse(
      401,
      "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
    )
  if (exp > now + 601) throw refuse(401, "'Expiration time' claim ('exp') is too far in the future")
  return app
}

export function asUser(call: Call): Grant {
  const grant = call.state.userTokens.get(tokenOf(call))
  if (!grant) throw refuse(401, 'Bad credentials')
  return grant
}

export function asInstallation(call: Call, permission?: string): InstallationToken {
  const token = findToken(call, tokenOf(call))
  if (permission) requirePermission(token, permission, 'read')
  return token
}

export function findToken({ state }: Call, text: string): InstallationToken {
  const token = state.installationTokens.get(text)
  if (!token || token.until < Date.now() || !state.installations.has(token.installation.id))
    throw refuse(401, 'Bad credentials')
  if (token.installation.suspendedAt) throw refuse(403, 'This installation has been suspended')
  return token
}

function requirePermission(token: InstallationToken, permission: string, level: 'read' | 'write') {
  const granted = token.permissions[permission]
  if (granted !== 'write' && granted !== level) throw refuse(403, 'Resource not accessible by integration')
}

/** The repository of the path. It is not found by a token that may not see it; a public one anybody may read. */
export function repositoryOf(
  call: Call,
  permission: string,
  level: 'read' | 'write' = 'read',
): { repository: Repository; token: InstallationToken } {
  const token = asInstallation(call)
  const { state, url } = call
  const { owner = '', repo = '', id } = call.params
  const repository = id
    ? state.repositories.find((one) => String(one.id) === id)
    : findRepository(state, `${owner}/${repo}`)
  if (!repository) {
    const renamed = state.formerNames.get(`${owner}/${repo}`.toLowerCase())
    if (!renamed || !maySee(token, renamed)) throw notFound()
    const rest = url.pathname.split('/').slice(4)
    const location = [`${state.url}/repositories/${renamed.id}`, ...rest].join('/') + url.search
    throw new Refusal(301, { message: 'Moved Permanently', url: location }, { location })
  }
  const isPublic = !repository.private && level === 'read'
  if (!isPublic && !maySee(token, repository)) throw notFound()
  requirePermission(token, permission, level)
  return { repository, token }
}

export const maySee = ({ installation, only }: InstallationToken, repository: Repository) =>
  seesRepository(installation, repository) && (only?.has(repository.id) ?? true)
