import { afterAll, expect, test } from 'vitest'
import { createVariable, deleteVariable, listVariables } from '../../../contract/application-entries.ts'
import * as contract from '../../../contract/projects.ts'
import { makeApplication } from '../../../test/support/factories/application-factories.ts'
import { makeApiToken, makeServer, makeTeam, nowhere } from '../../../test/support/factories/factories.ts'
import { makeProject } from '../../../test/support/factories/project-factories.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeShopProject } from '../../../test/worlds/world-projects.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { db, ctx, ok, call } = slipway
const { workspace, owner, member, viewer } = await makeTeam(db)
const { project, servers, applications } = await makeShopProject(ctx, workspace)
const { storefront, api, redis, postgres, blog } = applications
const read = async (token = member.token, id = project) =>
  (await ok(contract.getProjectMap, { token, params: { id } })).map

test('shows applications with their states, domains and services, and their servers', async () => {
  const map = await read()
  expect(map.applications.map(({ name, state }) => [name, state])).toEqual([
    ['api', 'failed'],
    ['blog', 'running'],
    ['postgres', 'running'],
    ['redis', 'running'],
    ['storefront', 'running'],
  ])
  const [, shownBlog, , , shop] = map.applications
  expect(shop?.domains.map(({ url }) => url)).toEqual([
    'http://harbor.example/',
    'http://www.harbor.example/',
  ])
  expect(shop).toMatchObject({ address: 'http://harbor.example/', containers: { running: 2, wanted: 2 } })
  expect(shownBlog?.domains).toEqual([{ url: 'http://blog.harbor.example/', service: 'web' }])
  expect(shownBlog?.services).toEqual([
    { name: 'web', image: 'ghost:5', state: 'running', running: 1, wanted: 1 },
    { name: 'db', image: 'mysql:8.4', state: 'running', running: 1, wanted: 1 },
  ])
  expect(map.servers).toEqual([
    { id: servers.app, name: 'app-1', status: 'ready' },
    { id: servers.data, name: 'data-1', status: 'ready' },
  ])
  expect(map.more).toBe(0)
})

test('connects applications by domain, host name and published port, and by shared networks', async () => {
  const { references, networks } = await read()
  expect(references.toSorted((a, b) => (a.from + a.to < b.from + b.to ? -1 : 1))).toEqual(
    [
      { from: storefront, to: api, service: null },
      { from: storefront, to: redis, service: null },
      { from: api, to: postgres, service: null },
      { from: api, to: redis, service: null },
    ].toSorted((a, b) => (a.from + a.to < b.from + b.to ? -1 : 1)),
  )
  expect(networks).toEqual([
    {
      name: `slipway-${project}`,
      kind: 'project',
      server_id: servers.app,
      applications: expect.arrayContaining([storefront, api, redis]),
    },
  ])
})

test('finds references to services in project variables, except of databases, and unless overridden', async () => {
  const at = { token: member.token, params: { id: project } }
  const body = { key: 'BLOG_DB', value: 'mysql://root:pw@blog-db:3306/blog' }
  const { env } = await ok(contract.createProjectVariable, { ...at, body })
  const mine = await makeApplication(db, workspace, servers.data, {
    name: 'job',
    slug: 'job',
    project_id: project,
  })
  const toBlog = async () => (await read()).references.filter(({ to }) => to === blog)
  // Applications on the other server do not reach the blog by host name.
  expect(await toBlog()).toEqual([{ from: mine, to: blog, service: 'db' }])
  const own = { token: member.token, params: { id: mine } }
  await ok(createVariable, { ...own, body: { key: 'BLOG_DB', value: '' } })
  expect(await toBlog()).toEqual([])
  const [variable] = (await ok(listVariables, own)).env
  await ok(deleteVariable, { ...own, params: { id: mine, env_id: variable?.id ?? '' } })
  await ok(contract.deleteProjectVariable, { ...at, params: { id: project, env_id: env.id } })
  await db.deleteFrom('applications').where('id', '=', mine).execute()
})

test('shows viewers the same connections without any value', async () => {
  const sent = { token: viewer.token, params: { id: project } }
  const { status, text } = await call('GET /v1/projects/{id}/map', sent)
  expect(status).toBe(200)
  expect(text).not.toMatch(/hunter2|203\.0\.113|6379|DATABASE_URL/)
  expect((await read(viewer.token)).references).toEqual((await read()).references)
})

test('stays within the workspace and the limit of an API token', async () => {
  const theirs = await makeTeam(db)
  const foreign = await makeProject(ctx, theirs.workspace, 'Theirs')
  const server = await makeServer(ctx, theirs.workspace, nowhere())
  await makeApplication(db, theirs.workspace, server, { project_id: foreign, name: 'spy' })
  await slipway.refused(contract.getProjectMap, { token: theirs.member.token, params: { id: project } }, 404)
  const other = await makeProject(ctx, workspace, 'Other')
  const limited = await makeApiToken(db, workspace, owner, { role: 'owner', projects: [other] })
  await slipway.refused(contract.getProjectMap, { token: limited.token, params: { id: project } }, 403)
  expect(await read(limited.token, other)).toEqual({
    applications: [],
    more: 0,
    servers: [],
    references: [],
    networks: [],
  })
})
