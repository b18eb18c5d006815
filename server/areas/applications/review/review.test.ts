import { afterAll, expect, test } from 'vitest'
import * as contract from '../../../../contract/applications.ts'
import { startSlipway } from '../../../../test/support/stages/context.ts'
import { makeServer, makeTeam, nowhere } from '../../../../test/support/factories/factories.ts'
import { fingerprint } from '../../../../test/support/stages/fingerprint.ts'

// No DNS server listens on this port, so lookups fail immediately.
const slipway = await startSlipway({ DNS_SERVER: '127.0.0.1:9' })
afterAll(() => slipway.close())
const { db, ctx, ok } = slipway
const team = await makeTeam(db)
const { token } = team.member
const server = await makeServer(ctx, team.workspace, nowhere(), {
  name: 'web-1',
  status: 'unreachable',
  reason: 'It does not answer.',
  memory_bytes: 2_000_000_000,
  cpus: 2,
})

const given = (more: object = {}) => ({
  name: 'Shop',
  source: { type: 'docker_image', image: 'nginx:1.27' },
  server_id: server,
  ...more,
})
const review = async (more: object = {}) =>
  (await ok(contract.reviewApplication, { token, body: given(more) })).review

test('lists the steps in order and creates nothing', async () => {
  const before = await fingerprint(db)
  const { steps, warnings, problems, generated_address } = await review({
    env: 'A=1\nB=2',
    labels: 'team=web',
    volumes: 'data:/var/lib/data',
    ports: '5432:5433',
    domains: [{ host: 'shop.example.com', path: '/api', port: 8081 }],
    port: 8080,
    health: { type: 'http', path: '/healthz', within_seconds: 30 },
    memory_limit: 2 ** 30,
    cpu_limit: 2,
    replicas: 3,
    command: ['npm', 'run', 'start it'],
  })
  expect(problems).toEqual({})
  expect(generated_address).toBe('shop.192-0-2-7.sslip.io')
  expect(steps).toEqual([
    'Pull nginx:1.27 on web-1. Falls back to the copy on the server.',
    'Create volume data if needed and mount it at /var/lib/data. Its data persists across deployments.',
    "Start 3 containers (shop-1-…), each with 1 GiB memory, 2 cores, 2 environment variables and 1 label. Run npm run 'start it' instead of the command of the image. Docker always restarts them.",
    'Wait up to 30 s for the health check: GET /healthz on port 8080 returns a status from 200 to 399, port 5433 accepts connections and port 8081 accepts connections. Otherwise the deployment fails and nothing changes.',
    'Route https://shop.example.com/api to port 8081 of the containers. A certificate is requested; HTTPS works once it is issued.',
    'Route http://shop.192-0-2-7.sslip.io/ to port 8080 of the containers.',
    'Publish port 5432 of web-1 to port 5433 of the containers.',
    'Keep this release for rollback.',
  ])
  expect(warnings).toEqual([
    'Server web-1 is not ready. It does not answer. You can create the application now and deploy it once the server is ready.',
    expect.stringMatching(/shop\.example\.com/),
    'All 3 containers together can use 3 GiB of memory, but web-1 has 1.9 GiB. When memory runs out, containers are killed.',
    expect.stringMatching(/^Old and new containers use the same volumes during a deployment\./),
  ])
  expect(await fingerprint(db)).toEqual(before)
})

test('reports the same field errors as creating the application', async () => {
  await ok(contract.createApplication, {
    token,
    body: given({ domains: [{ host: 'one.example.com' }], ports: '7001:80' }),
  })
  const bad = { domains: [{ host: 'one.example.com' }], ports: '7001:80\n443:80', cpu_limit: 2.5 }
  const { problems } = await review(bad)
  const { body } = await slipway.refused(contract.createApplication, { token, body: given(bad) }, 422)
  expect({ errors: problems }).toEqual(body)
  expect(Object.keys(problems)).toEqual(['domains.0.host', 'ports.0.source', 'ports.1.source', 'cpu_limit'])
  expect(problems['cpu_limit']).toEqual(['Must be at most 2: the server has 2 cores.'])
  expect((await review({ volumes: '/srv/a:/a' })).problems).toEqual({
    volumes: [expect.stringMatching(/^Only admins can mount/)],
  })
})

test('warns about a missing port if the health check or a domain needs it', async () => {
  const { steps, warnings, generated_address } = await review({ name: 'Plain', generated_address: false })
  expect(generated_address).toBeNull()
  expect(steps).toHaveLength(4)
  expect(warnings.filter((text) => text.startsWith('No port'))).toEqual([])
  expect(steps[1]).toBe('Start 1 container (plain-1-…). Docker always restarts it.')
  const stopped = await review({ stop_first: true })
  expect(stopped.warnings.at(-1)).toBe(
    'On each deployment the old container is stopped first: expect a few seconds of downtime.',
  )
  const asked = await review({ health: { type: 'http', path: '/', within_seconds: 5 } })
  expect(asked.warnings.at(-1)).toMatch(/^No port is set, .* The deployment fails if/)
  const { warnings: withDomain } = await review({ domains: [{ host: 'plain.example.com' }] })
  expect(withDomain.at(-1)).toMatch(/^No port is set, /)
})

test('rejects an update with more cores than the server has', async () => {
  const { application } = await ok(contract.createApplication, { token, body: given({ cpu_limit: 2 }) })
  const params = { id: application.id }
  const sent = { token, params, body: { name: 'Other', cpu_limit: 2.01 } }
  const { body } = await slipway.refused(contract.updateApplication, sent, 422)
  expect(body).toEqual({ errors: { cpu_limit: ['Must be at most 2: the server has 2 cores.'] } })
  expect((await ok(contract.getApplication, { token, params })).application.name).toBe('Shop')
  await ok(contract.updateApplication, { token, params, body: { cpu_limit: 1.5 } })
})
