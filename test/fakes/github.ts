import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { urlOf } from '../port.ts'

export interface GitHubAccount {
  id: number
  login: string
  name: string | null
  emails: { email: string; primary: boolean; verified: boolean }[]
}

interface Grant {
  account: GitHubAccount
  redirectUri: string
  scopes: string[]
  challenge: string | null
  until: number
}

type Trouble = 'down' | 'slow' | 'nonsense' | 'refused'

/** GitHub's sign-in and the two calls that follow it, as strict as the real ones. */
export async function startFakeGitHub(callback = 'http://slipway.test/login/success') {
  const client = { id: 'Iv1.slipway', secret: randomBytes(20).toString('hex') }
  const accounts = new Map<string, GitHubAccount>()
  const codes = new Map<string, Grant>()
  const tokens = new Map<string, Grant>()
  const trouble = new Map<string, Trouble>()
  const asked: string[] = []
  const held = new Set<ServerResponse>()

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://github')
    asked.push(`${request.method} ${url.pathname}`)
    answer(request, response, url).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })

  async function answer(request: IncomingMessage, response: ServerResponse, url: URL) {
    switch (trouble.get(url.pathname)) {
      case 'slow':
        return void held.add(response)
      case 'down':
        return json(response, 503, { message: 'No server is currently available to service your request.' })
      case 'nonsense':
        return response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Unicorn!</h1>')
      case 'refused':
        return response.destroy()
      case undefined:
        break
    }
    if (url.pathname === '/login/oauth/authorize' && request.method === 'GET')
      return authorize(request, response, url.searchParams)
    if (url.pathname === '/login/oauth/access_token' && request.method === 'POST')
      return exchange(request, response)
    if (request.method === 'GET' && ['/user', '/user/emails'].includes(url.pathname))
      return profile(request, response, url.pathname)
    return json(response, 404, { message: 'Not Found' })
  }

  /** The person at the browser, known by their cookie, presses "Authorize"; "Cancel" with the cookie `denies`. */
  function authorize(request: IncomingMessage, response: ServerResponse, given: URLSearchParams) {
    const account = accounts.get(/user=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? '')
    if (given.get('client_id') !== client.id || !account) return json(response, 404, { message: 'Not Found' })
    const redirectUri = given.get('redirect_uri') ?? callback
    const back = (fields: Record<string, string>) => {
      const state = given.get('state')
      const search = new URLSearchParams({ ...fields, ...(state === null ? {} : { state }) })
      response.writeHead(302, { location: `${callback}?${search.toString()}` }).end()
    }
    if (redirectUri !== callback) return back({ error: 'redirect_uri_mismatch' })
    if (request.headers.cookie?.includes('denies='))
      return back({
        error: 'access_denied',
        error_description: 'The user has denied your application access.',
      })
    const challenge = given.get('code_challenge')
    if (challenge !== null && given.get('code_challenge_method') !== 'S256')
      return back({ error: 'invalid_request' })
    const code = randomBytes(10).toString('hex')
    const scopes = (given.get('scope') ?? '').split(/[ ,]/).filter(Boolean)
    codes.set(code, { account, redirectUri, scopes, challenge, until: Date.now() + 600_000 })
    return back({ code })
  }

  /** Answers 200 whatever happens, and a form unless JSON is asked for, as the real one does. */
  async function exchange(request: IncomingMessage, response: ServerResponse) {
    const given = new URLSearchParams(await text(request))
    const say = (fields: Record<string, string>) =>
      request.headers.accept?.includes('application/json')
        ? json(response, 200, fields)
        : response
            .writeHead(200, { 'content-type': 'application/x-www-form-urlencoded' })
            .end(new URLSearchParams(fields).toString())
    if (given.get('client_id') !== client.id || given.get('client_secret') !== client.secret)
      return say({
        error: 'incorrect_client_credentials',
        error_description: 'The client_id and/or client_secret passed are incorrect.',
      })
    const code = given.get('code') ?? ''
    const grant = codes.get(code)
    const verifier = given.get('code_verifier')
    const proves = grant?.challenge === null || (verifier && s256(verifier) === grant?.challenge)
    if (!grant || grant.until < Date.now() || !proves)
      return say({
        error: 'bad_verification_code',
        error_description: 'The code passed is incorrect or expired.',
      })
    if (given.get('redirect_uri') !== grant.redirectUri)
      return say({
        error: 'redirect_uri_mismatch',
        error_description: 'The redirect_uri MUST match the registered callback URL for this application.',
      })
    codes.delete(code)
    const token = `gho_${randomBytes(18).toString('hex')}`
    tokens.set(token, grant)
    return say({ access_token: token, scope: grant.scopes.join(','), token_type: 'bearer' })
  }

  function profile(request: IncomingMessage, response: ServerResponse, path: string) {
    if (!request.headers['user-agent']) return json(response, 403, { message: 'Request forbidden' })
    const grant = tokens.get(/^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '')
    if (!grant) return json(response, 401, { message: 'Bad credentials' })
    if (path === '/user') {
      const { emails: _, ...account } = grant.account
      return json(response, 200, { ...account, type: 'User', email: null })
    }
    if (!grant.scopes.some((scope) => scope === 'user:email' || scope === 'user'))
      return json(response, 404, { message: 'Not Found' })
    return json(
      response,
      200,
      grant.account.emails.map((email) => ({ ...email, visibility: null })),
    )
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = urlOf(server)
  let lastId = 1000
  return {
    url,
    /** Every request that came, as "GET /user". */
    asked,
    /** What Slipway needs to know of it. */
    env: {
      GITHUB_URL: url,
      GITHUB_API_URL: url,
      GITHUB_CLIENT_ID: client.id,
      GITHUB_CLIENT_SECRET: client.secret,
    },
    addAccount(login: string, given: Partial<GitHubAccount> = {}): GitHubAccount {
      const emails = [{ email: `${login}@example.com`, primary: true, verified: true }]
      const account = { id: ++lastId, login, name: null, emails, ...given }
      accounts.set(login, account)
      return account
    },
    /** Goes where Slipway sent the browser and approves; gives back the query of the address that follows. */
    async approve(authorizeUrl: string, login: string): Promise<URLSearchParams> {
      const answered = await fetch(authorizeUrl, {
        headers: { cookie: `user=${login}` },
        redirect: 'manual',
      })
      const location = answered.headers.get('location')
      if (!location) throw new Error(`GitHub did not lead back: ${answered.status}`)
      return new URL(location).searchParams
    },
    expireCodes() {
      for (const grant of codes.values()) grant.until = 0
    },
    /** Makes a path fail, until told otherwise. */
    fail(path: string, how: Trouble | undefined) {
      if (how) trouble.set(path, how)
      else trouble.delete(path)
    },
    async close() {
      for (const response of held) response.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const s256 = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

const json = (response: ServerResponse, status: number, body: unknown) =>
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
