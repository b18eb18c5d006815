import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createRegistry, searchImages, searchTags, testRegistry } from '../../../contract/registries.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeTeam, unique } from '../../../test/support/factories/factories.ts'
import { startFakeDockerHub } from '../../../test/support/fakes/docker-hub.ts'

const hub = await startFakeDockerHub()
const slipway = await startSlipway({ ...hub.env, OUTSIDE_TIMEOUT: '2' })
afterAll(async () => {
  await slipway.close()
  await hub.close()
})
const { viewer, admin } = await makeTeam(slipway.db)
const at = (day: number) => `2025-01-${String(day).padStart(2, '0')}T10:00:00.123456Z`
hub.add(
  {
    path: 'library/nginx',
    description: 'Official build of Nginx.',
    stars: 20_000,
    pulls: 12_000_000_000,
    tags: [
      { name: '1.26', pushed: at(1) },
      { name: '1.27', pushed: at(3), size: 70_000_000, platforms: ['linux/amd64', 'linux/arm64/v8'] },
      { name: 'latest', pushed: at(3).replace('10:', '11:') },
    ],
  },
  ...Array.from({ length: 60 }, (_, index) => ({ path: `acme/many-${index}`, description: 'One of many' })),
)
hub.addAccount('acme', 'a token')
hub.add({ path: 'acme/secret', private: true, tags: [{ name: '2.0', pushed: at(2) }] })
beforeEach(() => {
  hub.asked.length = 0
  hub.liftRate()
  for (const path of ['/v2/search/repositories/', '/v2/namespaces*']) hub.fail(path, undefined)
})

const { token } = viewer
const search = (query: Record<string, string>) => slipway.ok(searchImages, { token, query })
const tags = (query: Record<string, string>) => slipway.ok(searchTags, { token, query })
const refused = (query: Record<string, string>, status: number) =>
  slipway.refused(searchImages, { token, query }, status)

test('finds images with their details and caches the response', async () => {
  const asked = await Promise.all([search({ q: 'nginx' }), search({ q: 'nginx' }), search({ q: ' nginx ' })])
  for (const found of asked)
    expect(found).toEqual({
      repositories: [
        {
          name: 'nginx',
          description: 'Official build of Nginx.',
          stars: 20_000,
          pulls: 12_000_000_000,
          official: true,
        },
      ],
      page: { next: null, total: 1 },
      stale_since: null,
    })
  expect(hub.asked).toEqual(['GET /v2/search/repositories/?query=nginx&page=1&page_size=25'])
})

test('pages results and returns nothing after the last page', async () => {
  const first = await search({ q: 'one of' })
  expect([first.repositories.length, first.page]).toEqual([25, { next: '2', total: 60 }])
  const last = await search({ q: 'one of', page: '3' })
  expect([last.repositories.length, last.page.next]).toEqual([10, null])
  expect(await search({ q: 'one of', page: '9' })).toMatchObject({ repositories: [], page: { total: 60 } })
  expect((await search({})).repositories).toEqual([])
  expect(hub.asked).toHaveLength(4)
})

test('lists tags newest first with size and platforms, and searches them', async () => {
  const { tags: found } = await tags({ repo_name: 'nginx', official: 'true' })
  expect(found.map(({ name }) => name)).toEqual(['latest', '1.27', '1.26'])
  expect(found[1]).toEqual({
    name: '1.27',
    updated_at: '2025-01-03T10:00:00.123Z',
    size_bytes: 70_000_000,
    platforms: ['linux/amd64', 'linux/arm64/v8'],
    digest: `sha256:${'a'.repeat(64)}`,
  })
  expect(
    (await tags({ repo_name: 'docker.io/library/nginx', q: '.26' })).tags.map(({ name }) => name),
  ).toEqual(['1.26'])
  await slipway.refused(searchTags, { token, query: { repo_name: 'acme/none' } }, 404)
  for (const query of [
    { repo_name: 'nginx:1' },
    { repo_name: 'a b' },
    { repo_name: 'nginx', official: 'false' },
  ])
    await slipway.refused(searchTags, { token, query }, 422)
})

test('shows tags of a private image only to the workspace with its credentials', async () => {
  const query = { repo_name: 'acme/secret' }
  await slipway.refused(searchTags, { token, query }, 404)
  const log = { kind: 'docker_hub', username: 'acme', name: 'Hub' }
  const wrong = await slipway.call(createRegistry.key, {
    token: admin.token,
    body: { ...log, password: 'wrong' },
  })
  expect([wrong.status, wrong.text]).toEqual([
    422,
    expect.stringContaining('Docker Hub rejected this username'),
  ])
  const { registry } = await slipway.ok(createRegistry, {
    token: admin.token,
    body: { ...log, password: 'a token' },
  })
  expect(registry).toMatchObject({ host: 'docker.io', error: null, checked_at: expect.any(String) })
  expect((await tags(query)).tags.map(({ name }) => name)).toEqual(['2.0'])
  const own = await search({ registry_id: registry.id, q: 'secret' })
  expect(own.repositories.map(({ name }) => name)).toEqual(['acme/secret'])
  // A revoked token falls back to anonymous access, and a rate-limited account does not affect others.
  hub.revokeTokens()
  expect((await tags({ ...query, q: '2' })).tags.map(({ name }) => name)).toEqual(['2.0'])
  hub.limitRate({ seconds: 60 })
  const limited = { token: admin.token, params: { id: registry.id } }
  await slipway.refused(testRegistry, limited, 429)
  hub.liftRate()
  await slipway.refused(testRegistry, limited, 429)
  expect((await search({ q: 'many-3' })).repositories.length).toBeGreaterThan(0)
  const stranger = (await makeTeam(slipway.db)).viewer
  await slipway.refused(searchTags, { token: stranger.token, query }, 404)
  await slipway.refused(searchImages, { token: stranger.token, query: { registry_id: registry.id } }, 404)
})

test('reports Docker Hub as down, slow or responding with a web page', async () => {
  const path = '/v2/search/repositories/'
  for (const [how, status, sentence] of [
    ['down', 502, 'The request to Docker Hub failed: status 503.'],
    ['nonsense', 502, 'The request to Docker Hub failed: it returned a web page.'],
    ['bad gateway', 502, 'The request to Docker Hub failed: status 502.'],
    ['cut', 502, 'The request to Docker Hub failed: connection lost.'],
    ['slow', 504, 'Docker Hub did not respond in time.'],
  ] as const) {
    hub.fail(path, how, 1)
    expect((await refused({ q: unique('nothing') }, status)).body).toMatchObject({ error: sentence })
  }
  expect((await search({ q: 'acme/many-1' })).repositories.length).toBeGreaterThan(0)
})

test('shows cached results with their time while Docker Hub is unreachable', async () => {
  const before = await search({ q: 'many-5' })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11 * 60_000 })
  try {
    hub.fail('/v2/search/repositories/', 'down')
    const now = await search({ q: 'many-5' })
    expect(now.repositories).toEqual(before.repositories)
    expect(Date.now() - Date.parse(now.stale_since ?? '')).toBeGreaterThanOrEqual(11 * 60_000)
    await refused({ q: 'many-6' }, 502)
    hub.fail('/v2/search/repositories/', undefined)
    expect((await search({ q: 'many-5' })).stale_since).toBeNull()
  } finally {
    vi.useRealTimers()
  }
})

test('reports the rate limit and sends no requests until it resets', async () => {
  // The clock stands still, so that the limit does not end early.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  onTestFinished(() => void vi.useRealTimers())
  const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1_000)
  hub.limitRate({ seconds: 60, retryAfter: 2 })
  const got = await slipway.call(searchImages.key, { token, query: { q: unique('limited') } })
  expect([got.status, got.headers['retry-after']]).toEqual([429, '2'])
  expect(got.text).toContain('Docker Hub rate-limits this instance. Try again in 2 seconds.')
  hub.liftRate()
  hub.asked.length = 0
  await refused({ q: unique('limited') }, 429)
  expect(hub.asked).toEqual([])
  pass(3)
  await search({ q: 'many-7' })
  // The response to the last allowed call already reports the limit.
  hub.limitRate({ remaining: 1, seconds: 2 })
  await search({ q: 'many-8' })
  hub.liftRate()
  await refused({ q: 'many-9' }, 429)
  pass(3)
  await search({ q: 'many-9' })
})
