import { afterAll, expect, test } from 'vitest'
import { createVariable, listVariables } from '../../../contract/application-entries.ts'
import { createApplication, getApplication, updateApplication } from '../../../contract/applications.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import * as contract from '../../../contract/projects.ts'
import { makeApplication, makeRelease } from '../../../test/support/factories/application-factories.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { eventsOfTarget } from '../../../test/support/clients/events.ts'
import {
  makeApiToken,
  makeServer,
  makeTeam,
  nowhere,
  unique,
} from '../../../test/support/factories/factories.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { db, ctx, ok, refused } = slipway
const { workspace, owner, member, viewer } = await makeTeam(db)
const { token } = member
const server = await makeServer(ctx, workspace, nowhere())

const newProject = async (env = '') => {
  const { project } = await ok(contract.createProject, { token, body: { name: unique('Harbour') } })
  if (env) await ok(contract.replaceProjectVariables, { token, params: { id: project.id }, body: { env } })
  return project
}
const shopIn = (project_id: Id<'project'>) => makeApplication(db, workspace, server, { project_id })
const listOf = async (id: Id<'project'>, sent: object = {}) =>
  (await ok(contract.listProjectVariables, { token, params: { id }, ...sent })).env

test('keeps variables ordered and unique, and shows values only to members who may change them', async () => {
  const { id } = await newProject('B=2\nA=one=1')
  const at = { token, params: { id } }
  const [b, a] = await listOf(id)
  expect([b, a]).toMatchObject([
    { key: 'B', value: '2' },
    { key: 'A', value: 'one=1' },
  ])
  const { env } = await ok(contract.createProjectVariable, { ...at, body: { key: 'C', value: 'secret' } })
  await refused(contract.createProjectVariable, { ...at, body: { key: 'C', value: '' } }, 422)
  await ok(contract.updateProjectVariable, {
    token,
    params: { id, env_id: env.id },
    body: { key: 'D', value: '4' },
  })
  await ok(contract.deleteProjectVariable, { token, params: { id, env_id: b?.id ?? '' } })
  expect((await listOf(id)).map(({ key, value }) => `${key}=${value}`)).toEqual(['A=one=1', 'D=4'])
  for (const sent of [{ token: viewer.token }, { query: { values: 'false' } }])
    expect((await listOf(id, sent)).map(({ value }) => value)).toEqual([null, null])
  const rows = await db.selectFrom('project_variables').select('value_sealed').execute()
  expect(rows.filter(({ value_sealed }) => value_sealed.includes('one=1'))).toEqual([])
  expect((await eventsOfTarget(db, id)).map(([, detail]) => detail)).toEqual([null, 'B, A', 'C', 'D', 'B'])
  // Variables of another project are not accessible through this one.
  const other = await newProject()
  const through = { token, params: { id: other.id, env_id: a?.id ?? '' } }
  await refused(contract.deleteProjectVariable, through, 404)
})

test('lists inherited variables with their project and overrides', async () => {
  const { id, name } = await newProject('MODE=production\nTOKEN=hunter2')
  const shop = await shopIn(id)
  const at = { token, params: { id: shop } }
  await ok(createVariable, { ...at, body: { key: 'MODE', value: 'test' } })
  const project = { id, name }
  const listed = await ok(listVariables, at)
  expect(listed.env).toMatchObject([{ key: 'MODE', value: 'test' }])
  expect(listed.inherited).toMatchObject([
    { key: 'MODE', value: 'production', project, overridden: true },
    { key: 'TOKEN', value: 'hunter2', project, overridden: false },
  ])
  for (const sent of [{ token: viewer.token }, { query: { values: 'false' } }]) {
    const { inherited } = await ok(listVariables, { ...at, ...sent })
    expect(inherited.map(({ key, value }) => [key, value])).toEqual([
      ['MODE', null],
      ['TOKEN', null],
    ])
  }
})

test('marks applications as changed only when inherited variables change', async () => {
  const { id } = await newProject()
  const shop = await shopIn(id)
  await makeRelease(ctx, workspace, shop, 1)
  const isChanged = async () =>
    (await ok(getApplication, { token, params: { id: shop } })).application.changed
  expect(await isChanged()).toBe(false)
  const at = { token, params: { id } }
  const { env } = await ok(contract.createProjectVariable, { ...at, body: { key: 'A', value: '1' } })
  expect(await isChanged()).toBe(true)
  await ok(contract.deleteProjectVariable, { token, params: { id, env_id: env.id } })
  expect(await isChanged()).toBe(false)
  const rich = await newProject('A=1')
  const move = { applications: [shop], move: true }
  await ok(contract.attachToProject, { token, params: { id: rich.id }, body: move })
  expect(await isChanged()).toBe(true)
  await ok(contract.deleteProject, { token, params: { id: rich.id } })
  expect(await isChanged()).toBe(false)
})

test('validates compose files with project variables', async () => {
  const { id } = await newProject('TAG=1.27')
  const compose = 'services:\n  web:\n    image: nginx:${TAG:?say which}\n'
  const body = { name: 'Shop', source: { type: 'compose', compose }, server_id: server }
  await refused(createApplication, { token, body }, 422)
  const { application } = await ok(createApplication, { token, body: { ...body, project_id: id } })
  const other = { type: 'compose', compose: `${compose}    environment: [TAG]\n` }
  await ok(updateApplication, { token, params: { id: application.id }, body: { source: other } })
})

test('does not let a limited API token redirect volumes through a project variable', async () => {
  const { id } = await newProject('WHERE=known')
  const compose = 'services:\n  web:\n    image: nginx:1\nvolumes:\n  data: { name: "${WHERE}" }\n'
  const source = { type: 'compose', compose }
  await ok(createApplication, {
    token,
    body: { name: unique('Shop'), server_id: server, project_id: id, source },
  })
  const limited = await makeApiToken(db, workspace, owner, { role: 'owner', projects: [id] })
  const at = { token: limited.token, params: { id } }
  const got = await refused(
    contract.replaceProjectVariables,
    { ...at, body: { env: 'WHERE=bank_data' } },
    403,
  )
  expect(got.text).toContain('the volume bank_data')
  await ok(contract.replaceProjectVariables, { ...at, body: { env: 'WHERE=known\nMORE=1' } })
})
