import { afterAll, describe, expect, test } from 'vitest'
import { listVariables } from '../../../contract/application-entries.ts'
import { listApplications } from '../../../contract/applications.ts'
import { listDomains } from '../../../contract/domains.ts'
import * as contract from '../../../contract/templates.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeServer, makeTeam, nowhere } from '../../../test/support/factories/factories.ts'
import { fingerprint } from '../../../test/support/stages/fingerprint.ts'
import { compose, template } from '../../../test/support/factories/shop-template.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { db, ctx } = slipway
const team = await makeTeam(db)
const { token } = team.member
const other = await makeTeam(db)
const server = await makeServer(ctx, team.workspace, { ...nowhere(), address: '192.0.2.9' })

const powerful = compose.replace(
  'image: shop:1.2.3',
  'image: shop:1.2.3\n    privileged: true\n    volumes: ["/srv/shop:/data", "/var/run/docker.sock:/run/docker.sock"]',
)

const make = async (files: object = {}) =>
  (await slipway.ok(contract.createTemplate, { token, body: { template, compose, ...files } })).template
const body = (more: object = {}) => ({ server_id: server, inputs: { MAIL: 'ada@example.com' }, ...more })
const shop = await make()
const params = { id: shop.id }

/** Returns the error of a rejected call, and checks that nothing changed. */
async function refusal(inputs: object, more: object = {}, who = token) {
  const before = await fingerprint(db)
  const sent = { token: who, params, body: body({ inputs, ...more }) }
  const { body: said } = await slipway.refused(contract.deployTemplate, sent, 422)
  expect(await fingerprint(db)).toEqual(before)
  return Object(said).errors
}

describe('deploying a template', () => {
  test('creates and deploys an application with values, secrets and domain, once per key', async () => {
    const sent = {
      token,
      params,
      body: body({ inputs: { MAIL: 'ada@example.com', OPEN: true, SIZE: 5 } }),
      headers: { 'idempotency-key': 'first' },
    }
    const made = await slipway.ok(contract.deployTemplate, sent)
    const again = await slipway.ok(contract.deployTemplate, sent)
    expect(again).toEqual(made)
    const { application, deployment, notes } = made
    expect(deployment).toMatchObject({ type: 'deploy_application', status: 'queued' })
    expect(application).toMatchObject({ name: 'Shop', deployment: { id: deployment.id } })
    const url = 'http://shop.192-0-2-9.sslip.io'
    expect(notes).toBe(`Open ${url} and log in as ada@example.com.`)
    const at = { token, params: { id: application.id } }
    const { domains } = await slipway.ok(listDomains, at)
    expect(domains).toMatchObject([{ url: `${url}/`, service: 'web', port: 8_000, generated: true }])
    const { env } = await slipway.ok(listVariables, { ...at, query: { values: 'true' } })
    const values = Object.fromEntries(env.map(({ key, value }) => [key, value]))
    expect(values).toEqual({
      MAIL: 'ada@example.com',
      SIZE: '5',
      OPEN: 'true',
      PLAN: 'free',
      HOOK: '',
      TITLE: 'Shop of ada@example.com',
      KEY: expect.stringMatching(/^[0-9a-f]{32}$/),
      PASSWORD: expect.stringMatching(/^[A-HJ-NP-Za-km-z2-9]{24}$/),
      SITE: 'shop.192-0-2-9.sslip.io',
      SITE_URL: url,
    })
    const { applications } = await slipway.ok(listApplications, { token })
    expect(applications).toHaveLength(1)
    const second = await slipway.ok(contract.deployTemplate, { token, params, body: body({ name: 'Mine' }) })
    const { env: others } = await slipway.ok(listVariables, {
      token,
      params: { id: second.application.id },
      query: { values: 'true' },
    })
    expect(others.find(({ key }) => key === 'PASSWORD')?.value).not.toBe(values['PASSWORD'])
    expect(second.notes).toContain('http://mine.192-0-2-9.sslip.io')
  })

  test('routes a custom domain in any notation', async () => {
    const own = { host: 'own.example.com', https: true }
    const { application, notes } = await slipway.ok(contract.deployTemplate, {
      token,
      params,
      body: body({ domain: own }),
    })
    const { domains } = await slipway.ok(listDomains, { token, params: { id: application.id } })
    expect(domains).toMatchObject([{ ...own, service: 'web', port: 8_000, generated: false }])
    expect(notes).toContain('https://own.example.com ')
    expect(await refusal({ MAIL: 'a@b.co', SITE: 'own.example.com' })).toEqual({
      'domain.host': ['This domain is used by application Shop.'],
    })
    expect(await refusal({ MAIL: 'a@b.co', SITE: 'other.example.com' }, { domain: own })).toEqual({
      'inputs.SITE': ['Must match the domain of the application.'],
    })
    const plain = await make({
      template: 'name: Plain\ndescription: Plain.\ncategory: other\n',
      compose: 'services: { db: { image: "a:1" } }\n',
    })
    const sent = { token, params: { id: plain.id }, body: { server_id: server, domain: own } }
    expect(Object((await slipway.refused(contract.deployTemplate, sent, 422)).body).errors).toEqual({
      'domain.host': ['Template Plain has no HTTP service, so it cannot have a domain. Remove the domain.'],
    })
    const bare = await slipway.ok(contract.deployTemplate, { ...sent, body: { server_id: server } })
    expect(bare.application.address).toBeNull()
    expect(bare.notes).toBeNull()
  })

  test('rejects unknown, missing and mistyped inputs', async () => {
    const MAIL = 'ada@example.com'
    expect(await refusal({})).toEqual({ 'inputs.MAIL': ['Is required.'] })
    expect(await refusal({ MAIL, MIAL: 'x' })).toEqual({
      'inputs.MIAL': ['Did you mean MAIL? This template has no input MIAL.'],
    })
    expect(await refusal({ MAIL, ['__proto__x']: 'x', constructor: 'x' })).toMatchObject({
      'inputs.constructor': ['This template has no input constructor.'],
    })
    expect(
      await refusal({ MAIL: 'ada', SIZE: 'many', OPEN: 'yes', PLAN: 'rich', HOOK: 'ftp://a', TITLE: '<b>' }),
    ).toEqual({
      'inputs.MAIL': ['Must be an email address, such as ada@example.com.'],
      'inputs.SIZE': ['Must be a number.'],
      'inputs.OPEN': ['Must be true or false.'],
      'inputs.PLAN': ['Must be one of free, paid.'],
      'inputs.HOOK': ['Must be a URL that starts with https:// or http://.'],
      'inputs.TITLE': ['Must match the pattern “^[^<>]*$”.'],
    })
    expect(
      await refusal({ MAIL: 5, SIZE: true, OPEN: 1, PLAN: 2, HOOK: false, TITLE: 7, KEY: 1, PASSWORD: true }),
    ).toEqual({
      'inputs.MAIL': ['Must be text.'],
      'inputs.SIZE': ['Must be a number.'],
      'inputs.OPEN': ['Must be true or false.'],
      'inputs.PLAN': ['Must be one of free, paid.'],
      'inputs.HOOK': ['Must be text.'],
      'inputs.TITLE': ['Must be text.'],
      'inputs.KEY': ['Must be text.'],
      'inputs.PASSWORD': ['Must be text.'],
    })
    expect(await refusal({ MAIL, SIZE: 10 })).toEqual({ 'inputs.SIZE': ['Must be at most 9.'] })
    expect(await refusal({ MAIL, SITE: 'no domain' })).toEqual({
      'inputs.SITE': ['Must be a domain, such as app.example.com.'],
    })
    expect(await refusal({ MAIL, SITE: 5 })).toEqual({
      'inputs.SITE': ['Must be a domain, such as app.example.com.'],
    })
  })

  test('requires an admin for privileged options and announces them', async () => {
    const { id, host_access: hostAccess } = await make({ compose: powerful })
    expect(hostAccess).toEqual([
      'web, privileged: A privileged container has root access to the server.',
      'web, volumes /srv/shop:/data: This mounts /srv/shop from the server into the container.',
      'web, volumes /var/run/docker.sock:/run/docker.sock: The Docker socket gives root access to the server.',
    ])
    const sent = { token, params: { id }, body: body() }
    const { review } = await slipway.ok(contract.reviewTemplate, sent)
    expect(review.plan).toMatchObject({
      allowed: false,
      refusal: expect.stringContaining('only an admin can deploy it'),
    })
    expect(review.plan?.host_access).toHaveLength(3)
    const before = await fingerprint(db)
    const { body: said } = await slipway.refused(contract.deployTemplate, sent, 403)
    expect(said).toMatchObject({ error: expect.stringContaining('The Docker socket gives root access') })
    expect(await fingerprint(db)).toEqual(before)
    const asAdmin = { ...sent, token: team.admin.token }
    expect((await slipway.ok(contract.reviewTemplate, asAdmin)).review.plan).toMatchObject({ allowed: true })
    const { deployment } = await slipway.ok(contract.deployTemplate, asAdmin)
    const row = await db
      .selectFrom('deployments')
      .select('allow_host_access')
      .where('id', '=', deployment.id)
      .executeTakeFirstOrThrow()
    expect(row.allow_host_access).toBe(true)
  })

  test('requires a domain when the server has no address to derive one from', async () => {
    const named = await makeServer(ctx, team.workspace, { ...nowhere(), address: 'ship.example.com' })
    const why = 'Enter a domain. The server has no public address to generate one from.'
    const inputs = { MAIL: 'ada@example.com' }
    expect(await refusal(inputs, { server_id: named })).toEqual({ 'inputs.SITE': [why] })
    expect(await refusal({ ...inputs, SITE: '' }, { server_id: named })).toEqual({ 'inputs.SITE': [why] })
    const { review } = await slipway.ok(contract.reviewTemplate, {
      token,
      params,
      body: body({ server_id: named }),
    })
    expect(review).toMatchObject({ address: null, problems: { 'inputs.SITE': [why] } })
    const at = { id: 'tpl_plausible' }
    const builtin = { token, params: at, body: { server_id: named } }
    const { body: said } = await slipway.refused(contract.deployTemplate, builtin, 422)
    expect(Object(said).errors).toEqual({ 'inputs.DOMAIN': [why] })
    const domain = { host: 'shop.example.com', https: true }
    const { notes } = await slipway.ok(contract.deployTemplate, {
      token,
      params,
      body: body({ server_id: named, domain }),
    })
    expect(notes).toContain('Open https://shop.example.com and')
    const bare = await make({
      template: 'name: Bare\ndescription: Bare.\ncategory: other\nhttp: { service: web, port: 80 }\n',
      compose: 'services: { web: { image: "a:1" } }\n',
    })
    const sent = { token, params: { id: bare.id }, body: { server_id: named } }
    const { review: seen } = await slipway.ok(contract.reviewTemplate, sent)
    expect(seen.problems).toEqual({})
    expect(seen.warnings.join()).toContain('Bare gets no generated URL')
  })

  test('detects a privileged option that only an input adds', async () => {
    const { id, host_access: hostAccess } = await make({
      template: template.replace('default: false }', 'default: false, advanced: true }'),
      compose: compose.replace('image: shop:1.2.3', 'image: shop:1.2.3\n    privileged: ${OPEN}'),
    })
    expect(hostAccess).toEqual([])
    const inputs = { MAIL: 'ada@example.com', OPEN: true }
    const sent = { token, params: { id }, body: body({ inputs }) }
    await slipway.refused(contract.deployTemplate, sent, 403)
    await slipway.ok(contract.deployTemplate, { ...sent, body: body() })
  })
})

test('encrypts notes and shows them to users who can edit the application until deleted', async () => {
  const noted = template.replace('notes: Open', 'notes: Use ${PASSWORD}, open')
  const { id } = await make({ template: noted })
  const made = await slipway.ok(contract.deployTemplate, { token, params: { id }, body: body() })
  expect(made.notes).toMatch(/^Use [A-Za-z2-9]{24}, open http:/)
  const at = { token, params: { id: made.application.id } }
  expect(await slipway.ok(contract.getNotes, at)).toEqual({ notes: made.notes })
  const rows = await db.selectFrom('applications').selectAll().where('id', '=', made.application.id).execute()
  expect(JSON.stringify(rows)).not.toContain(made.notes)
  for (const call of [contract.getNotes, contract.deleteNotes]) {
    await slipway.refused(call, { ...at, token: team.viewer.token }, 403)
    await slipway.refused(call, { ...at, token: other.owner.token }, 404)
  }
  expect(await slipway.ok(contract.getNotes, at)).toEqual({ notes: made.notes })
  await slipway.ok(contract.deleteNotes, at)
  expect(await slipway.ok(contract.getNotes, at)).toEqual({ notes: null })
})

test('previews the result and its obstacles without creating anything', async () => {
  await db
    .updateTable('servers')
    .set({ memory_bytes: 1_024 ** 3 })
    .where('id', '=', server)
    .execute()
  const before = await fingerprint(db)
  const sent = { token, params, body: body({ name: 'Reviewed', inputs: {} }) }
  const { review } = await slipway.ok(contract.reviewTemplate, sent)
  expect(await fingerprint(db)).toEqual(before)
  expect(review).toMatchObject({
    address: 'http://reviewed.192-0-2-9.sslip.io',
    problems: { 'inputs.MAIL': ['Is required.'] },
  })
  expect(review.warnings.join()).toContain('Shop needs at least 4 GiB of memory')
  expect(review.steps.join()).toContain('Route http://reviewed.192-0-2-9.sslip.io/ to port 8000 of web.')
  expect(review.plan?.services.map(({ name }) => name)).toEqual(['web', 'db'])
})
