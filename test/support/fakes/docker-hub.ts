import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Fault, planFaults } from './faults.ts'
import { Refusal, type Reply, send, startHttpService } from './http-service.ts'
import { pageOf } from './page.ts'
import { startRateLimit } from './rate-limit.ts'

interface HubTag {
  name: string
  /** The greater, the newer. */
  pushed: string
  size?: number
  platforms?: string[]
}

export interface HubRepository {
  /** `library/nginx` for an official image. */
  path: string
  description?: string
  stars?: number
  pulls?: number
  private?: boolean
  tags?: HubTag[]
}

const refuse = (status: number, message: string) => new Refusal(status, { message })

/** Docker Hub, as strict as the real one: search, repositories of an account, tags, login and rate limit. */
export async function startFakeDockerHub() {
  const faults = planFaults()
  const limit = startRateLimit(180)
  const asked: string[] = []
  const repositories: HubRepository[] = []
  const accounts = new Map<string, string>()
  const tokens = new Map<string, string>()

  const service = await startHttpService(async (request, response) => {
    const url = new URL(request.url ?? '/', service.url)
    asked.push(`${request.method} ${url.pathname}${url.search}`)
    if (faults.inject(url.pathname, response)) return
    const isWithin = limit.count()
    for (const [name, value] of Object.entries(limit.headers('x-ratelimit'))) response.setHeader(name, value)
    if (!isWithin)
      throw new Refusal(429, { detail: 'Rate limit exceeded', error: false }, limit.retryHeader())
    if (url.pathname === '/v2/auth/token') send(response, await logIn(request))
    else send(response, read(request, url))
  })

  async function logIn(request: IncomingMessage): Promise<Reply> {
    if (request.method !== 'POST') throw refuse(405, 'method not allowed')
    const { identifier, secret }: { identifier?: string; secret?: string } = JSON.parse(await text(request))
    if (!identifier || !secret) throw refuse(400, 'identifier and secret are required')
    if (accounts.get(identifier) !== secret) throw refuse(401, 'incorrect username or password')
    const token = randomBytes(8).toString('hex')
    tokens.set(token, identifier)
    return { status: 200, body: { access_token: token } }
  }

  function read({ method, headers: { authorization } }: IncomingMessage, url: URL): Reply {
    if (method !== 'GET') throw refuse(405, 'method not allowed')
    // An anonymous user has an empty name.
    const user = authorization === undefined ? '' : tokens.get(authorization.replace('Bearer ', ''))
    if (user === undefined) throw new Refusal(401, { message: 'unauthorized', errinfo: {} })
    if (url.pathname === '/v2/search/repositories/') return search(url)
    const canSee = (one: HubRepository) => !one.private || one.path.startsWith(`${user}/`)
    const isNamed = (name = '') => name.includes(url.searchParams.get('name') ?? '')
    const [, owner = '', name, tags] =
      /^\/v2\/namespaces\/([^/]+)\/repositories(?:\/([^/]+)\/(tags))?$/.exec(url.pathname) ?? []
    if (owner && !name) {
      const own = repositories.filter(
        (one) => one.path.startsWith(`${owner}/`) && canSee(one) && isNamed(one.path.split('/')[1]),
      )
      return page(url, own, showRepository)
    }
    const found = repositories.find((one) => one.path === `${owner}/${name}` && canSee(one))
    if (!tags || !found)
      throw new Refusal(404, {
        message: 'httperror 404: object not found',
        errinfo: { namespace: owner, repository: name },
      })
    const newest = (found.tags ?? []).toSorted((a, b) => (a.pushed < b.pushed ? 1 : -1))
    return page(
      url,
      newest.filter((tag) => isNamed(tag.name)),
      showTag,
    )
  }

  function search(url: URL): Reply {
    const query = url.searchParams.get('query')?.toLowerCase() ?? ''
    if (query === '') throw refuse(400, 'query is required')
    const found = repositories.filter(
      ({ private: isPrivate, path, description }) =>
        !isPrivate && `${path} ${description ?? ''}`.toLowerCase().includes(query),
    )
    return page(url, found, showResult)
  }

  return {
    url: service.url,
    env: { DOCKER_HUB_URL: service.url },
    /** Every request, as "GET /v2/…?page=1". */
    asked,
    add: (...more: HubRepository[]) => void repositories.push(...more),
    addAccount: (name: string, secret: string) => void accounts.set(name, secret),
    revokeTokens: () => tokens.clear(),
    limitRate: limit.restrict,
    liftRate: limit.lift,
    fail: (path: string, fault: Fault | undefined, times?: number) => faults.set(path, fault, times),
    async close() {
      faults.release()
      await service.close()
    },
  }
}

/** A page has at most 100 items; there is no page after the last. */
function page<T>(url: URL, all: T[], show: (item: T) => object): Reply {
  const invalid = () => refuse(400, 'invalid page or page_size')
  const paging = pageOf(url, all, { parameter: 'page_size', size: 10, most: Infinity, invalid })
  if (paging.perPage > 100) throw invalid()
  if (paging.page > paging.last) throw refuse(404, 'page not found')
  const next = paging.page < paging.last ? paging.linkTo(paging.page + 1) : null
  return {
    status: 200,
    body: { count: all.length, next, previous: null, results: paging.items.map(show) },
  }
}

const showResult = ({ path, description = '', stars = 0, pulls = 0 }: HubRepository) => ({
  repo_name: path.replace(/^library\//, ''),
  short_description: description,
  star_count: stars,
  pull_count: pulls,
  repo_owner: '',
  is_automated: false,
  is_official: path.startsWith('library/'),
})

function showRepository({ path, description = '', stars = 0, pulls = 0, ...one }: HubRepository) {
  const [namespace, name] = path.split('/')
  const counts = { star_count: stars, pull_count: pulls }
  return {
    name,
    namespace,
    repository_type: 'image',
    is_private: one.private ?? false,
    description,
    ...counts,
  }
}

function showTag({ name, pushed, size = 1000, platforms = ['linux/amd64'] }: HubTag) {
  const images = platforms.map((platform, index) => {
    const [os, architecture, variant = null] = platform.split('/')
    return { os, architecture, variant, size: size - index, status: 'active' }
  })
  // Attestations are listed among the images.
  const attestation = { os: 'unknown', architecture: 'unknown', variant: null, size: 9_999_999_999 }
  return {
    name,
    full_size: size,
    last_updated: pushed,
    tag_last_pushed: pushed,
    tag_status: 'active',
    digest: `sha256:${'a'.repeat(64)}`,
    images: [...images, { ...attestation, status: 'active' }],
  }
}
