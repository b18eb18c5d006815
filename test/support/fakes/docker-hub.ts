import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { urlOf } from '../programs/port.ts'
import { json } from './github/answer.ts'
import { makeTrouble, type Trouble } from './github/trouble.ts'

export interface HubTag {
  name: string
  /** The greater, the newer. */
  pushed: string
  size?: number
  platforms?: string[]
}

export interface HubRepository {
  /** `library/nginx` for an official one. */
  path: string
  description?: string
  stars?: number
  pulls?: number
  private?: boolean
  tags?: HubTag[]
}

/** Docker Hub, as strict as the real one: search, repositories of an account, tags, log-in, and its limits. */
export async function startFakeDockerHub() {
  const trouble = makeTrouble()
  const asked: string[] = []
  const repositories: HubRepository[] = []
  const accounts = new Map<string, string>()
  const tokens = new Map<string, string>()
  const rate = { limit: 180, remaining: 180, reset: 0, retryAfter: undefined as number | undefined }

  const server = createServer((request, response) => {
    const at = new URL(request.url ?? '/', 'http://hub')
    asked.push(`${request.method} ${at.pathname}${at.search}`)
    if (trouble.makes(at.pathname, response)) return
    serve(request, response, at).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })

  async function serve(request: IncomingMessage, response: ServerResponse, at: URL) {
    const headers = {
      'x-ratelimit-limit': String(rate.limit),
      'x-ratelimit-remaining': String(Math.max(0, rate.remaining - 1)),
      'x-ratelimit-reset': String(rate.reset),
    }
    if (rate.remaining <= 0)
      return json(
        { response },
        429,
        { detail: 'Rate limit exceeded', error: false },
        {
          ...headers,
          ...(rate.retryAfter && { 'retry-after': String(rate.retryAfter) }),
        },
      )
    rate.remaining--
    const say = (status: number, body: object) => json({ response }, status, body, headers)
    if (at.pathname === '/v2/auth/token') return logIn(request, say)
    if (request.method !== 'GET') return say(405, { message: 'method not allowed' })
    const user = whose(request)
    if (user === undefined) return say(401, { message: 'unauthorized', errinfo: {} })
    const sees = (one: HubRepository) => !one.private || one.path.startsWith(`${user}/`)
    if (at.pathname === '/v2/search/repositories/') return search(at, say)
    const [, owner = '', name, tags] =
      /^\/v2\/namespaces\/([^/]+)\/repositories(?:\/([^/]+)\/(tags))?$/.exec(at.pathname) ?? []
    if (owner && !name) {
      const own = repositories.filter(
        (one) => one.path.startsWith(`${owner}/`) && sees(one) && named(at, one.path.split('/')[1]),
      )
      return page(at, own, say, (one) => ({
        name: one.path.split('/')[1],
        namespace: owner,
        repository_type: 'image',
        is_private: one.private ?? false,
        description: one.description ?? '',
        star_count: one.stars ?? 0,
        pull_count: one.pulls ?? 0,
      }))
    }
    const found = repositories.find((one) => one.path === `${owner}/${name}` && sees(one))
    if (!tags || !found)
      return say(404, {
        message: 'httperror 404: object not found',
        errinfo: { namespace: owner, repository: name },
      })
    const newest = (found.tags ?? []).toSorted((a, b) => (a.pushed < b.pushed ? 1 : -1))
    return page(
      at,
      newest.filter((tag) => named(at, tag.name)),
      say,
      showTag,
    )
  }

  async function logIn(request: IncomingMessage, say: Say) {
    if (request.method !== 'POST') return say(405, { message: 'method not allowed' })
    const given: { identifier?: string; secret?: string } = JSON.parse(await text(request))
    if (!given.identifier || !given.secret) return say(400, { message: 'identifier and secret are required' })
    if (accounts.get(given.identifier) !== given.secret)
      return say(401, { message: 'incorrect username or password' })
    const token = randomBytes(8).toString('hex')
    tokens.set(token, given.identifier)
    return say(200, { access_token: token })
  }

  /** Nobody in particular is an empty name; undefined for a token that does not hold. */
  function whose({ headers: { authorization } }: IncomingMessage): string | undefined {
    return authorization === undefined ? '' : tokens.get(authorization.replace('Bearer ', ''))
  }

  function search(at: URL, say: Say) {
    const query = at.searchParams.get('query') ?? ''
    if (query === '') return say(400, { message: 'query is required' })
    const found = repositories.filter(
      (one) =>
        !one.private && `${one.path} ${one.description ?? ''}`.toLowerCase().includes(query.toLowerCase()),
    )
    return page(at, found, say, (one) => ({
      repo_name: one.path.replace(/^library\//, ''),
      short_description: one.description ?? '',
      star_count: one.stars ?? 0,
      pull_count: one.pulls ?? 0,
      repo_owner: '',
      is_automated: false,
      is_official: one.path.startsWith('library/'),
    }))
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: urlOf(server),
    env: { DOCKER_HUB_URL: urlOf(server) },
    /** Every request that came, as "GET /v2/…?page=1". */
    asked,
    add: (...more: HubRepository[]) => void repositories.push(...more),
    addAccount: (name: string, secret: string) => void accounts.set(name, secret),
    revokeTokens: () => tokens.clear(),
    /** So many calls more until the limit, which is lifted after so many seconds. */
    limitRate(remaining: number, seconds: number, retryAfter?: number) {
      Object.assign(rate, { remaining, retryAfter, reset: Math.floor(Date.now() / 1000) + seconds })
    },
    liftRate: () => void Object.assign(rate, { remaining: rate.limit, retryAfter: undefined }),
    fail: (path: string, how: Trouble | undefined, times?: number) => trouble.set(path, how, times),
    async close() {
      trouble.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type Say = (status: number, body: object) => void

const named = (at: URL, name = '') => name.includes(at.searchParams.get('name') ?? '')

/** The real one has at most a hundred on a page, and none behind the last. */
function page<T>(at: URL, all: T[], say: Say, show: (one: T) => object) {
  const number = (name: string, otherwise: number) => Number(at.searchParams.get(name) ?? otherwise)
  const [size, current] = [number('page_size', 10), number('page', 1)]
  if (!Number.isInteger(size) || size < 1 || size > 100 || !Number.isInteger(current) || current < 1)
    return say(400, { message: 'invalid page or page_size' })
  const shown = all.slice((current - 1) * size, current * size)
  if (shown.length === 0 && current > 1) return say(404, { message: 'page not found' })
  const next = new URL(at)
  next.searchParams.set('page', String(current + 1))
  return say(200, {
    count: all.length,
    next: current * size < all.length ? next.href : null,
    previous: null,
    results: shown.map(show),
  })
}

function showTag({ name, pushed, size = 1000, platforms = ['linux/amd64'] }: HubTag) {
  const images = platforms.map((platform, index) => {
    const [os, architecture, variant = null] = platform.split('/')
    return {
      os,
      architecture,
      variant,
      size: size - index,
      status: 'active',
      digest: `sha256:${'0'.repeat(64)}`,
    }
  })
  const note = {
    os: 'unknown',
    architecture: 'unknown',
    variant: null,
    size: 9_999_999_999,
    status: 'active',
  }
  return {
    name,
    full_size: size,
    last_updated: pushed,
    tag_last_pushed: pushed,
    tag_status: 'active',
    digest: `sha256:${'a'.repeat(64)}`,
    images: [...images, note],
  }
}
