import { afterAll, expect, test } from 'vitest'
import * as entries from '../../../contract/application-entries.ts'
import * as contract from '../../../contract/applications.ts'
import { checkCompose, getCompose } from '../../../contract/compose.ts'
import { deployApplication } from '../../../contract/deployments.ts'
import { listChanges } from '../../../contract/releases.ts'
import { listDomains } from '../../../contract/domains.ts'
import { makeRelease } from '../../../test/support/factories/application-factories.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeApiToken, makeServer, makeTeam, nowhere } from '../../../test/support/factories/factories.ts'
import { fingerprint } from '../../../test/support/stages/fingerprint.ts'
import { releaseComposeSealContext } from './release.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { db, ctx } = slipway
const team = await makeTeam(db)
const { token } = team.member
const server = await makeServer(ctx, team.workspace, { ...nowhere(), address: '192.0.2.9' })

const file = `services:
  db:
    image: postgres:\${PG}
    environment: { PASSWORD: hunter2 }
  web:
    image: nginx:1
    ports: ["8081:9000", "3000"]
    profiles: [site]
`
const whole = (more: object = {}) => ({
  name: 'Shop',
  server_id: server,
  source: { type: 'compose', compose: file, profiles: ['site'] },
  env: 'PG=16',
  ...more,
})
const make = async (more: object = {}) =>
  (await slipway.ok(contract.createApplication, { token, body: whole(more) })).application
const refused = async (status: number, more: object) =>
  Object((await slipway.refused(contract.createApplication, { token, body: whole(more) }, status)).body)

test('reports what the Docker of the server does not support', async () => {
  const other = await makeTeam(db)
  const compose = 'services: {web: {image: a, healthcheck: {test: a, start_period: 9s, start_interval: 1s}}}'
  const check = async (server_id?: string) =>
    (await slipway.ok(checkCompose, { token, body: { compose, ...(server_id && { server_id }) } })).problems
  const setVersion = (docker_api_version: string | null) =>
    db.updateTable('servers').set({ docker_api_version }).where('id', '=', server).execute()
  expect(await check()).toEqual([])
  expect(await check(server)).toEqual([])
  await setVersion('1.41')
  expect(await check(server)).toMatchObject([
    {
      severity: 'warning',
      message: 'start_interval needs Docker 25.0 or newer on the server. It is ignored.',
    },
  ])
  await setVersion('1.51')
  expect(await check(server)).toEqual([])
  await setVersion(null)
  const foreign = await makeServer(ctx, other.workspace, nowhere())
  await slipway.refused(checkCompose, { token, body: { compose, server_id: foreign } }, 404)
})

test('checks a compose file by line without creating anything', async () => {
  const before = await fingerprint(db)
  const { problems, services, variables } = await slipway.ok(checkCompose, {
    token,
    body: { compose: 'services:\n  web:\n    imgae: ${X}\n    build: https://a.b/c.git\n', env: 'X=1' },
  })
  expect(problems).toEqual([
    {
      line: 3,
      column: 5,
      end_line: 3,
      end_column: 10,
      severity: 'error',
      message: 'Unknown key “imgae”. Did you mean image?',
    },
  ])
  expect(services).toEqual([
    { name: 'web', image: null, builds: true, ports: [], published: [], profiles: [] },
  ])
  expect(variables).toEqual(['X'])
  expect(await fingerprint(db)).toEqual(before)
})

test('seals the compose file and returns it only to members who may change it', async () => {
  const shop = await make({ name: 'Made', source: { type: 'stack', compose: file, profiles: ['site'] } })
  expect(shop.source).toMatchObject({
    type: 'stack',
    image: null,
    services: ['db', 'web'],
    profiles: ['site'],
  })
  const params = { id: shop.id }
  expect(await slipway.ok(getCompose, { token, params })).toEqual({ compose: file, profiles: ['site'] })
  await slipway.refused(getCompose, { token: team.viewer.token, params }, 403)
  const row = await db
    .selectFrom('applications')
    .selectAll()
    .where('id', '=', shop.id)
    .executeTakeFirstOrThrow()
  expect(JSON.stringify(row)).not.toContain('hunter2')
  const { domains } = await slipway.ok(listDomains, { token, params })
  expect(domains).toMatchObject([{ generated: true, service: 'web', port: 3000 }])
})

test('generates no URL for a compose file without ports', async () => {
  const { id } = await make({
    name: 'Quiet',
    source: { type: 'compose', compose: 'services: {a: {image: b}}' },
  })
  expect((await slipway.ok(listDomains, { token, params: { id } })).domains).toEqual([])
})

test('reports compose errors by line at the field and changes nothing', async () => {
  const before = await fingerprint(db)
  const source = (compose: string) => ({ source: { type: 'compose', compose } })
  expect(
    await refused(
      422,
      source('services:\n  a: {image: b, ports: ["9:9"]}\n  c: {image: d, ports: ["9:1"]}\n'),
    ),
  ).toMatchObject({
    errors: { 'source.compose': ['Line 3: Port 9 is published by a too. Choose another port.'] },
  })
  for (const compose of [
    '',
    'services:\n\ta: b',
    'a: &a [*a]',
    'services: {"a b": {image: c}}',
    'services: {a: {image: "`id`"}}',
  ])
    expect(Object.keys((await refused(422, source(compose))).errors)).toEqual(['source.compose'])
  for (const compose of [7, null, ['a'], { services: {} }, 'a\0b', 'x'.repeat(500_000)])
    expect(Object.keys((await refused(422, { source: { type: 'compose', compose } })).errors)[0]).toMatch(
      /^source/,
    )
  expect((await refused(422, source('x'.repeat(500_000)))).errors).toEqual({
    'source.compose': ['Must have at most 200,000 characters.'],
  })
  expect(
    Object.keys((await refused(422, { labels: 'a=b', volumes: 'a:/b', ports: '1234:1' })).errors),
  ).toEqual(['labels', 'volumes', 'ports'])
  const domain = (service?: string) => ({ domains: [{ host: 'a.example.com', service }] })
  for (const service of [undefined, 'wbe', '$(id)', '日本'])
    expect(Object.keys((await refused(422, domain(service))).errors)).toEqual(['domains.0.service'])
  expect(await fingerprint(db)).toEqual(before)
})

test('reviews a compose file with the same errors and a plan per service', async () => {
  const { review } = await slipway.ok(contract.reviewApplication, {
    token,
    body: whole({ domains: [{ host: 'shop.example.com', service: 'web', port: 3000 }] }),
  })
  expect(review.problems).toEqual({})
  expect(review.steps.join('\n')).toContain('Pull the images of db and web')
  expect(review.plan).toMatchObject({
    allowed: true,
    services: [{ name: 'db', action: 'added' }, { name: 'web' }],
  })
  const body = whole({
    source: { type: 'compose', compose: 'services: {a: {image: b, privileged: true, foo: 1}}' },
  })
  const bad = (await slipway.ok(contract.reviewApplication, { token, body })).review
  expect(bad.problems).toEqual({ 'source.compose': ['Line 1: Unknown key “foo”.'] })
  expect(bad.plan).toMatchObject({ allowed: false, services: [], problems: [{ line: 1 }] })
})

test('replaces a compose file atomically and keeps the source type', async () => {
  const { id } = await make({ name: 'Changing' })
  const params = { id }
  const put = (source: object) => ({ token, params, body: { source } })
  const got = await slipway.refused(
    contract.updateApplication,
    put({ type: 'compose', compose: 'services: {}' }),
    422,
  )
  expect(Object(got.body).errors).toEqual({
    'source.compose': ['Line 1: The file has no services. Add at least one under services.'],
  })
  const kind = await slipway.refused(
    contract.updateApplication,
    put({ type: 'docker_image', image: 'nginx' }),
    409,
  )
  expect(kind.body).toMatchObject({ code: 'source_kind' })
  expect((await slipway.ok(getCompose, { token, params })).compose).toBe(file)
  const { application } = await slipway.ok(
    contract.updateApplication,
    put({ type: 'compose', compose: file.replace('web:', 'shop:'), profiles: ['site'] }),
  )
  expect(application.source).toMatchObject({ services: ['db', 'shop'], profiles: ['site'] })
})

test('rejects changes of entries that the compose file defines', async () => {
  const { id } = await make({ name: 'Whole' })
  const params = { id }
  const from = async (refusal: Promise<{ body: unknown }>) =>
    expect((await refusal).body).toMatchObject({ code: 'from_compose' })
  await from(slipway.refused(entries.createLabel, { token, params, body: { key: 'a', value: 'b' } }, 409))
  await from(slipway.refused(entries.replaceVolumes, { token, params, body: { volumes: 'a:/b' } }, 409))
  await from(slipway.refused(entries.createPorts, { token, params, body: { ports: '4321:80' } }, 409))
  await slipway.ok(entries.createVariable, { token, params, body: { key: 'TAG', value: '2' } })
})

test('lists changes by service and key without secrets', async () => {
  const { id } = await make({ name: 'Differs' })
  const release = await makeRelease(ctx, team.workspace, id, 1)
  const frozen = {
    text: file.replace('nginx:1', 'nginx:0').replace('hunter2', 'hunter1'),
    profiles: [],
    model: {},
  }
  await db
    .updateTable('releases')
    .set({ compose_sealed: ctx.secrets.seal(releaseComposeSealContext(release), JSON.stringify(frozen)) })
    .where('id', '=', release)
    .execute()
  const { changes } = await slipway.ok(listChanges, { token, params: { id }, query: {} })
  expect(changes).toEqual([
    { field: 'services.db.environment.PASSWORD', kind: 'changed', from: null, to: null },
    { field: 'services.web.image', kind: 'changed', from: 'nginx:0', to: 'nginx:1' },
    { field: 'profiles', kind: 'added', from: null, to: 'site' },
    { field: 'env.PG', kind: 'added', from: null, to: null },
  ])
})

test('keeps network aliases unique on a server', async () => {
  const place = await makeServer(ctx, team.workspace, { ...nowhere(), address: '192.0.2.11' })
  const slugOf = async (name: string, source: object) => {
    const { id } = await make({ name, source, server_id: place, env: '', generated_address: false })
    const { slug } = await db
      .selectFrom('applications')
      .select('slug')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return { id, slug }
  }
  const image = { type: 'docker_image', image: 'nginx' }
  const composed = (...services: string[]) => ({
    type: 'compose',
    compose: `services: { ${services.map((name) => `${name}: { image: nginx }`).join(', ')} }`,
  })
  const blog = await slugOf('Blog', composed('db'))
  expect(await slugOf('Blog db', image)).toMatchObject({ slug: 'blog-db-2' })
  expect(await slugOf('Blog web', image)).toMatchObject({ slug: 'blog-web' })
  // `blog-web` is taken by the other application, and `blog-web-2` is free.
  expect(await slugOf('Blog', composed('web', 'db'))).toMatchObject({ slug: 'blog-2' })
  const change = { token, params: { id: blog.id }, body: { source: composed('db', 'web') } }
  const { body } = await slipway.refused(contract.updateApplication, change, 422)
  expect(body).toEqual({
    errors: {
      'source.compose': [
        'The service web would have the host name blog-web in the project network, but application Blog web already uses it. Choose another name in the compose file.',
      ],
    },
  })
  const twice = { ...change, body: { source: composed('a_b', 'a-b') } }
  expect((await slipway.refused(contract.updateApplication, twice, 422)).text).toMatch(
    'The service a-b would have the host name blog-a-b in the project network, but the service a_b already uses it',
  )
  await slipway.ok(contract.updateApplication, { ...change, body: { source: composed('db', 'site') } })
})

test('reviews the ports that a compose file publishes', async () => {
  const ports = ['80:1', '8443:2', '127.0.0.1:53:53/udp', '9']
  const source = {
    type: 'compose',
    compose: `services: { web: { image: nginx, ports: ${JSON.stringify(ports)} } }`,
  }
  const { review } = await slipway.ok(contract.reviewApplication, { token, body: whole({ source }) })
  const name = (
    await slipway.db.selectFrom('servers').select('name').where('id', '=', server).executeTakeFirstOrThrow()
  ).name
  expect(review.steps.filter((step) => step.startsWith('Publish'))).toEqual([
    `Publish port 8443 of ${name} to port 2 of web.`,
    `Publish port 53/udp of ${name} on 127.0.0.1 only to port 53 of web.`,
  ])
  expect(review.plan).toMatchObject({ refusal: null, allowed: true })
})

test('rejects shared volumes and networks for a limited API token', async () => {
  const withParts = (parts: string) => `services:\n  web:\n    image: nginx:1\n${parts}`
  const source = (parts: string) => ({ type: 'compose', compose: withParts(parts), profiles: [] })
  const named = 'volumes:\n  data: { name: "${WHERE}" }\n'
  const { id } = await make({ name: 'Limited', source: source(named), env: 'WHERE=known' })
  const limit = { role: 'owner' as const, applications: [id] }
  const at = {
    token: (await makeApiToken(db, team.workspace, team.owner, limit)).token,
    params: { id },
  }
  for (const parts of [
    'volumes:\n  data: { external: true }\n',
    'volumes:\n  data: { external: true, name: bank_data }\n',
    'volumes:\n  data: { external: "${YES:-true}" }\n',
    'volumes:\n  data: { name: bank_data }\n',
    'networks:\n  default: { external: true, name: bank_default }\n',
  ])
    await slipway.refused(
      contract.updateApplication,
      { ...at, body: { source: source(parts) } },
      403,
      'forbidden',
    )
  const kept = `${named}networks:\n  inner: {}\n`
  await slipway.ok(contract.updateApplication, { ...at, body: { source: source(kept) } })
  const before = await fingerprint(db)
  await slipway.refused(deployApplication, { ...at, body: {} }, 403, 'forbidden')
  expect(await fingerprint(db)).toEqual(before)
  await slipway.ok(deployApplication, { ...at, token, body: {} })
  await slipway.ok(contract.updateApplication, { ...at, body: { source: source('') } })
  await slipway.ok(deployApplication, { ...at, body: {} })
})

test('does not let a limited API token redirect a volume through a variable', async () => {
  const compose = 'services:\n  web:\n    image: nginx:1\nvolumes:\n  data: { name: "${WHERE}" }\n'
  const { id } = await make({ name: 'Named', source: { type: 'compose', compose }, env: 'WHERE=known' })
  const limit = { role: 'owner' as const, applications: [id] }
  const at = { token: (await makeApiToken(db, team.workspace, team.owner, limit)).token, params: { id } }
  const before = await fingerprint(db)
  const [where] = (await slipway.ok(entries.listVariables, at)).env
  const got = await slipway.refused(
    entries.replaceVariables,
    { ...at, body: { env: 'WHERE=bank_data' } },
    403,
  )
  expect(got.text).toContain('the volume bank_data')
  const params = { id, env_id: where?.id ?? '' }
  const body = { key: 'WHERE', value: 'bank_data' }
  await slipway.refused(entries.updateVariable, { ...at, params, body }, 403, 'forbidden')
  expect(await fingerprint(db)).toEqual(before)
  await slipway.ok(entries.replaceVariables, { ...at, body: { env: 'WHERE=known\nMORE=1' } })
  await slipway.ok(entries.updateVariable, { token, params, body })
})
