import { afterAll, expect, test } from 'vitest'
import * as contract from '../../../contract/templates.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeServer, makeTeam, nowhere } from '../../../test/support/factories/factories.ts'
import { compose, template } from '../../../test/support/factories/shop-template.ts'
import { sealFiles } from './template.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { db, ctx } = slipway
const team = await makeTeam(db)
const { token } = team.member
const other = await makeTeam(db)
const server = await makeServer(ctx, team.workspace, { ...nowhere(), address: '192.0.2.9' })

const make = async (files: object = {}) =>
  (await slipway.ok(contract.createTemplate, { token, body: { template, compose, ...files } })).template
const body = (more: object = {}) => ({ server_id: server, inputs: { MAIL: 'ada@example.com' }, ...more })
const shop = await make()
const params = { id: shop.id }

test('creates, finds, updates and deletes templates of a workspace', async () => {
  expect(shop).toMatchObject({ name: 'Shop', builtin: false, services: ['web', 'db'], host_access: [] })
  const { templates, page } = await slipway.ok(contract.listTemplates, { token, query: { q: 'SELLS' } })
  expect(templates.map(({ id }) => id)).toEqual([shop.id])
  expect(page.total).toBe(1)
  const mine = await make({ template: template.replace('name: Shop', 'name: Other') })
  const changed = { template: template.replace('name: Shop', 'name: Wharf'), compose }
  const { template: now } = await slipway.ok(contract.updateTemplate, {
    token,
    params: { id: mine.id },
    body: changed,
  })
  expect(now).toMatchObject({ name: 'Wharf', files: changed })
  await slipway.ok(contract.deleteTemplate, { token, params: { id: mine.id } })
  await slipway.refused(contract.getTemplate, { token, params: { id: mine.id } }, 404)
})

test('lists own templates before the paged catalog', async () => {
  const first = await slipway.ok(contract.listTemplates, { token, query: { limit: '5' } })
  expect(first.templates.map(({ builtin }) => builtin)).toEqual([false, true, true, true, true])
  const cursor = first.page.next ?? ''
  const second = await slipway.ok(contract.listTemplates, { token, query: { limit: '200', cursor } })
  const all = [...first.templates, ...second.templates]
  expect(new Set(all.map(({ id }) => id)).size).toBe(first.page.total)
  expect(second.page.next).toBeNull()
  const some = await slipway.ok(contract.listTemplates, { token, query: { category: 'analytics' } })
  expect(some.templates.every(({ category }) => category === 'analytics')).toBe(true)
  const id = first.templates[1]?.id ?? ''
  const { template: builtin } = await slipway.ok(contract.getTemplate, {
    token: team.viewer.token,
    params: { id },
  })
  expect(builtin.files).not.toBeNull()
  const sent = { token, params: { id }, body: { template, compose } }
  expect((await slipway.refused(contract.updateTemplate, sent, 409)).body).toMatchObject({
    code: 'builtin_template',
  })
  await slipway.refused(contract.deleteTemplate, { token, params: { id } }, 409)
})

test('hides templates from other workspaces, and files from users who cannot edit applications', async () => {
  const strange = { token: other.owner.token, params }
  await slipway.refused(contract.getTemplate, strange, 404)
  await slipway.refused(contract.updateTemplate, { ...strange, body: { template, compose } }, 404)
  await slipway.refused(contract.deleteTemplate, strange, 404)
  await slipway.refused(contract.deployTemplate, { ...strange, body: body() }, 404)
  await slipway.refused(contract.reviewTemplate, { ...strange, body: body() }, 404)
  const elsewhere = await makeServer(ctx, other.workspace, nowhere())
  const sent = { token, params, body: body({ server_id: elsewhere }) }
  await slipway.refused(contract.deployTemplate, sent, 404)
  await slipway.refused(contract.deployTemplate, { token, params, body: body({ project_id: 'prj_x' }) }, 404)
  const { template: seen } = await slipway.ok(contract.getTemplate, { token: team.viewer.token, params })
  expect(seen.files).toBeNull()
})

test('encrypts templates and rejects invalid ones with line numbers', async () => {
  const rows = await db.selectFrom('templates').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain('POSTGRES_PASSWORD')
  const wrong = { template: template.replace('type: email', 'type: mail'), compose: `${compose}  x: {}\n` }
  const { body: said } = await slipway.refused(contract.createTemplate, { token, body: wrong }, 422)
  expect(Object(said).errors).toEqual({
    template: [expect.stringContaining('Line 7: Must be one of text, number')],
    compose: [expect.stringContaining('Line 9: Service x has neither image nor build.')],
  })
  const { problems } = await slipway.ok(contract.checkTemplate, { token, body: wrong })
  expect(problems.template[0]).toMatchObject({ line: 7, severity: 'error' })
  const huge = { template, compose: `services:\n${'  web: { image: a }\n'.repeat(12_000)}` }
  const { body: long } = await slipway.refused(contract.checkTemplate, { token, body: huge }, 422)
  expect(Object(long).errors).toEqual({ compose: ['Must have at most 200,000 characters.'] })
  const { body: wide } = await slipway.refused(
    contract.createTemplate,
    { token, body: { template: 'x'.repeat(500_000), compose } },
    422,
  )
  expect(Object(wide).errors).toEqual({ template: ['Must have at most 100,000 characters.'] })
})

test('lists the result of the last check without reading files', async () => {
  const linked = template.replace('memory:', 'logo: ghost\nlinks: { Website: https://shop.example }\nmemory:')
  const { id } = await make({ template: linked.replace('name: Shop', 'name: Listed') })
  const shown = async () => {
    const { templates } = await slipway.ok(contract.listTemplates, { token, query: { q: 'sells' } })
    return templates.find((one) => one.id === id)
  }
  const before = await shown()
  expect(before).toEqual({
    id,
    name: 'Listed',
    description: 'Sells things.',
    category: 'business',
    logo: 'ghost',
    links: [{ label: 'Website', url: 'https://shop.example' }],
    memory_bytes: 4 * 1_024 ** 3,
    services: ['web', 'db'],
    builtin: false,
    updated_at: expect.any(String),
  })
  const unreadable = { template_sealed: 'nothing', compose_sealed: 'nothing' }
  await db.updateTable('templates').set(unreadable).where('id', '=', id).execute()
  expect(await shown()).toEqual(before)
  await slipway.ok(contract.updateTemplate, { token, params: { id }, body: { template, compose } })
  expect(await shown()).toMatchObject({ name: 'Shop', logo: null, links: [] })
  await slipway.ok(contract.deleteTemplate, { token, params: { id } })
})

test('hides secrets of a template from users who cannot read environments', async () => {
  const secrets = [
    '  - { name: DB_PASSWORD, type: text, default: hunter22 }',
    '  - { name: DB_URL, default: "postgres://me:hunter22@db" }',
    '  - { name: SEED, type: secret, default: hunter22 }',
    '  - { name: COLOUR, default: red }',
  ]
  const given = ['DB_PASSWORD', 'DB_URL', 'SEED', 'COLOUR'].map((name) => `\${${name}}`).join()
  const { id } = await make({
    template: template
      .replace('inputs:', `inputs:\n${secrets.join('\n')}`)
      .replace('notes: ', 'notes: Use hunter22. '),
    compose: compose.replace('ALL: "', `ALL: "${given} `),
  })
  const seenBy = async (who: string) =>
    (await slipway.ok(contract.getTemplate, { token: who, params: { id } })).template
  const hidden = await seenBy(team.viewer.token)
  expect(JSON.stringify(hidden)).not.toContain('hunter22')
  expect(hidden.inputs.slice(0, 4).map((one) => one.default)).toEqual([null, null, null, 'red'])
  expect(hidden.notes).toBeNull()
  const seen = await seenBy(token)
  expect(seen.inputs.slice(0, 3).map((one) => one.default)).not.toContain(null)
  expect(seen.notes).toContain('Use hunter22.')
  await slipway.ok(contract.deleteTemplate, { token, params: { id } })
})

test('lists and repairs an unreadable template but does not deploy it', async () => {
  const { id } = await make({ template: template.replace('name: Shop', 'name: Old') })
  const broken = sealFiles(ctx, id, { template: 'nonsense: true\n', compose })
  await db.updateTable('templates').set(broken).where('id', '=', id).execute()
  const { templates } = await slipway.ok(contract.listTemplates, { token, query: { q: 'Sells' } })
  expect(templates.find((one) => one.id === id)).toMatchObject({
    name: 'Old',
    category: 'business',
    services: ['web', 'db'],
  })
  const sent = { token, params: { id }, body: body() }
  const { body: said } = await slipway.refused(contract.deployTemplate, sent, 409)
  expect(said).toMatchObject({ code: 'template_wrong' })
  await slipway.ok(contract.updateTemplate, { token, params: { id }, body: { template, compose } })
})
