import { createVerify } from 'node:crypto'
import { z } from 'zod'
import type { App } from './apps.ts'
import { type Call, missing, Refusal } from './answer.ts'
import type { Repository } from './bare.ts'
import { findRepository, type Grant, type InstallationToken, seesRepository } from './state.ts'

const given = ({ request }: Call) => /^(?:Bearer|token) (.+)$/i.exec(request.headers.authorization ?? '')?.[1]

const claims = z.object({ iss: z.union([z.string(), z.number()]), iat: z.int(), exp: z.int() })

/** The app that signed this call with its key, within the last ten minutes. */
export function asApp(call: Call): App {
  const [head = '', body = '', signature = '', ...more] = (given(call) ?? '').split('.')
  const undecodable = new Refusal(401, 'A JSON web token could not be decoded')
  if (!signature || more.length > 0) throw undecodable
  const read = (part: string): unknown => {
    try {
      return JSON.parse(Buffer.from(part, 'base64url').toString())
    } catch {
      throw undecodable
    }
  }
  if (!z.object({ alg: z.literal('RS256') }).safeParse(read(head)).success) throw undecodable
  const said = claims.safeParse(read(body))
  if (!said.success) throw undecodable
  const { iss, iat, exp } = said.data
  const app = call.state.apps.find(({ id, client }) => [String(id), client.id].includes(String(iss)))
  if (!app) throw new Refusal(401, 'Integration not found')
  const verifier = createVerify('RSA-SHA256').update(`${head}.${body}`)
  if (!verifier.verify(app.publicKey, Buffer.from(signature, 'base64url'))) throw undecodable
  const now = Date.now() / 1000
  if (iat > now + 1)
    throw new Refusal(
      401,
      "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
    )
  if (exp < now)
    throw new Refusal(
      401,
      "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
    )
  if (exp > now + 601) throw new Refusal(401, "'Expiration time' claim ('exp') is too far in the future")
  return app
}

export function asUser(call: Call): Grant {
  const grant = call.state.userTokens.get(given(call) ?? '')
  if (!grant) throw new Refusal(401, 'Bad credentials')
  return grant
}

/** An installation with a token that is still good, and that has this permission. */
export function asInstallation(
  call: Call,
  permission?: string,
  level: 'read' | 'write' = 'read',
): InstallationToken {
  const token = findToken(call, given(call) ?? '')
  if (permission) mustHave(token, permission, level)
  return token
}

export function findToken({ state }: Pick<Call, 'state'>, text: string): InstallationToken {
  const token = state.installationTokens.get(text)
  if (!token || token.until < Date.now() || !state.installations.has(token.installation.id))
    throw new Refusal(401, 'Bad credentials')
  if (token.installation.suspendedAt) throw new Refusal(403, 'This installation has been suspended')
  return token
}

export function mustHave(token: InstallationToken, permission: string, level: 'read' | 'write') {
  const has = token.permissions[permission]
  if (has !== 'write' && has !== level) throw new Refusal(403, 'Resource not accessible by integration')
}

/** The repository of the path. Who may not see it is told that it is not there; a public one anybody may read. */
export function ofRepository(
  call: Call,
  permission: string,
  level: 'read' | 'write' = 'read',
): { repository: Repository; token: InstallationToken } {
  const token = asInstallation(call)
  const { owner = '', repo = '', id } = call.params
  const repository = id
    ? call.state.repositories.find((one) => String(one.id) === id)
    : findRepository(call.state, `${owner}/${repo}`)
  if (!repository) {
    const moved = call.state.formerNames.get(`${owner}/${repo}`.toLowerCase())
    if (moved && maySee(token, moved)) throw new Moved(moved)
    throw missing()
  }
  const open = !repository.private && level === 'read'
  if (!open && !maySee(token, repository)) throw missing()
  mustHave(token, permission, level)
  return { repository, token }
}

export const maySee = ({ installation, only }: InstallationToken, repository: Repository) =>
  seesRepository(installation, repository) && (only?.has(repository.id) ?? true)

/** It was renamed: the real one leads to where it is by its id. */
export class Moved extends Error {
  readonly to: Repository

  constructor(to: Repository) {
    super('Moved Permanently')
    this.to = to
  }
}
