import { createPrivateKey, randomUUID, sign, X509Certificate } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { madeCertificate } from '../factories/certificates.ts'
import { afterAll } from 'vitest'

/** Who may pull what; the beginning of its name, and `*` for the catalogue. */
export type Grants = Record<string, { password: string; scopes: string[] }>

/**
 * Says who may do what in a registry, by tokens, as the specification has it and as strictly: a wrong log-in is refused, and
 * a right one gets exactly what it may have of what it asks for.
 */
export async function startFakeTokens(host: string, grants: Grants) {
  const service = 'registry.test'
  const issuer = 'tokens.test'
  const pair = await madeCertificate(issuer, { kind: ['rsa:2048'], later: afterAll })
  const asked: string[] = []
  const server = createServer((request, response) => answer(request, response)).listen(0, host)
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('It does not listen on a port.')
  const realm = `http://${host}:${address.port}/token`
  afterAll(() => {
    server.close()
    server.closeAllConnections()
  })

  function answer(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '/', realm)
    asked.push(url.search)
    const refuse = (status: number, code: string) =>
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify({ errors: [{ code, message: 'refused' }] }))
    if (url.pathname !== '/token' || request.method !== 'GET') return refuse(404, 'NOT_FOUND')
    if (url.searchParams.get('service') !== service) return refuse(400, 'UNSUPPORTED')
    const user = userOf(request)
    const account = grants[user?.name ?? '']
    if (user && account?.password !== user.password) return refuse(401, 'UNAUTHORIZED')
    const access = url.searchParams
      .getAll('scope')
      .flatMap((scopes) => scopes.split(' '))
      .map(readScope)
      .map((scope) => ({ ...scope, actions: mayHave(account?.scopes ?? [], scope) ? scope.actions : [] }))
    return response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ token: tokenFor(user?.name ?? '', access), expires_in: 60 }))
  }

  function tokenFor(subject: string, access: object[]) {
    const now = Math.floor(Date.now() / 1000)
    const x5c = [new X509Certificate(pair.certificate).raw.toString('base64')]
    const claims = {
      iss: issuer,
      sub: subject,
      aud: service,
      exp: now + 60,
      nbf: now - 10,
      iat: now,
      jti: randomUUID(),
      access,
    }
    const text = [{ typ: 'JWT', alg: 'RS256', x5c }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')
    return `${text}.${sign('sha256', Buffer.from(text), createPrivateKey(pair.key)).toString('base64url')}`
  }

  return { asked, auth: { realm, service, issuer, certificate: pair.certificate } }
}

function userOf({ headers: { authorization } }: IncomingMessage) {
  if (!authorization?.startsWith('Basic ')) return undefined
  const given = Buffer.from(authorization.slice(6), 'base64').toString()
  return { name: given.slice(0, given.indexOf(':')), password: given.slice(given.indexOf(':') + 1) }
}

const readScope = (scope: string) => {
  const [type = '', ...rest] = scope.split(':')
  return { type, name: rest.slice(0, -1).join(':'), actions: (rest.at(-1) ?? '').split(',') }
}

const mayHave = (scopes: string[], { type, name }: { type: string; name: string }) =>
  scopes.some((one) => (type === 'registry' ? one === '*' : type === 'repository' && name.startsWith(one)))
