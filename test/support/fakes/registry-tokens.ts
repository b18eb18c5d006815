import { createPrivateKey, randomUUID, sign, X509Certificate } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { afterAll } from 'vitest'
import { madeCertificate } from '../factories/certificates.ts'
import { Refusal, send, startHttpService } from './http-service.ts'

/** Images that each account may pull: prefixes of repository names, and `*` for the catalog. */
type Grants = Record<string, { password: string; scopes: string[] }>

const service = 'registry.test'
const issuer = 'tokens.test'

/**
 * The token server of a registry, as strict as its specification: wrong credentials are refused, and right ones get
 * what the account may have of the requested scopes.
 */
export async function startFakeTokens(host: string, grants: Grants) {
  const pair = await madeCertificate(issuer, { kind: ['rsa:2048'], later: afterAll })
  const asked: string[] = []
  const http = await startHttpService((request, response) => {
    const url = new URL(request.url ?? '/', http.url)
    asked.push(url.search)
    const refuse = (status: number, code: string) =>
      new Refusal(status, { errors: [{ code, message: 'refused' }] })
    if (url.pathname !== '/token' || request.method !== 'GET') throw refuse(404, 'NOT_FOUND')
    if (url.searchParams.get('service') !== service) throw refuse(400, 'UNSUPPORTED')
    const user = credentialsOf(request)
    const account = grants[user?.name ?? '']
    if (user && account?.password !== user.password) throw refuse(401, 'UNAUTHORIZED')
    const requested = url.searchParams.getAll('scope').flatMap((scopes) => scopes.split(' '))
    const access = requested.map((scope) => grant(scope, account?.scopes ?? []))
    send(response, { status: 200, body: { token: newToken(user?.name ?? '', access), expires_in: 60 } })
  }, host)
  afterAll(http.close)

  function newToken(sub: string, access: object[]) {
    const iat = Math.floor(Date.now() / 1000)
    const x5c = [new X509Certificate(pair.certificate).raw.toString('base64')]
    const times = { iat, nbf: iat - 10, exp: iat + 60 }
    const claims = { iss: issuer, sub, aud: service, ...times, jti: randomUUID(), access }
    const text = [{ typ: 'JWT', alg: 'RS256', x5c }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')
    return `${text}.${sign('sha256', Buffer.from(text), createPrivateKey(pair.key)).toString('base64url')}`
  }

  return { asked, auth: { realm: `${http.url}/token`, service, issuer, certificate: pair.certificate } }
}

function credentialsOf({ headers: { authorization } }: IncomingMessage) {
  if (!authorization?.startsWith('Basic ')) return undefined
  const given = Buffer.from(authorization.slice(6), 'base64').toString()
  return { name: given.slice(0, given.indexOf(':')), password: given.slice(given.indexOf(':') + 1) }
}

/** The actions of a scope such as `repository:shop/web:pull`, or none of them. */
function grant(scope: string, granted: string[]) {
  const [type = '', ...rest] = scope.split(':')
  const [name, actions] = [rest.slice(0, -1).join(':'), (rest.at(-1) ?? '').split(',')]
  const isGranted = granted.some((one) =>
    type === 'registry' ? one === '*' : type === 'repository' && name.startsWith(one),
  )
  return { type, name, actions: isGranted ? actions : [] }
}
