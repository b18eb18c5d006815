import { afterAll, describe, expect, test } from 'vitest'
import { listApplicationNetworks } from '../../../contract/application-entries.ts'
import { createApplication, getApplication, listApplications } from '../../../contract/applications.ts'
import { listDeployments } from '../../../contract/deployments.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import * as contract from '../../../contract/projects.ts'
import { getServer, listServers } from '../../../contract/servers.ts'
import { makeApplication, makeDeployment } from '../../../test/support/factories/application-factories.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { eventsOfTarget } from '../../../test/support/clients/events.ts'
import { makeServer, makeTeam, nowhere, unique } from '../../../test/support/factories/factories.ts'
import { fingerprint } from '../../../test/support/stages/fingerprint.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { db, ctx, ok, refused } = slipway
const { workspace, member } = await makeTeam(db)
const { token } = member
const host = nowhere()
const newServer = (name = unique('web')) => makeServer(ctx, workspace, host, { name, status: 'ready' })
const server = await newServer('web-1')
const newShop = (name = unique('shop')) => makeApplication(db, workspace, server, { name })
const newProject = async (name = unique('Harbour')) =>
  (await ok(contract.createProject, { token, body: { name } })).project

const attach = async (id: Id<'project'>, body: object) =>
  (await ok(contract.attachToProject, { token, params: { id }, body })).project
const detach = async (id: Id<'project'>, body: object) =>
  (await ok(contract.detachFromProject, { token, params: { id }, body })).project
const projectOf = async (id: Id<'application'>) =>
  (await ok(getApplication, { token, params: { id } })).application.project

test('creates, finds, renames and deletes a project without deleting its members', async () => {
  const body = { name: ' Online shop ', description: 'Sells things.' }
  const { project } = await ok(contract.createProject, { token, body })
  expect(project).toMatchObject({
    name: 'Online shop',
    description: 'Sells things.',
    state: 'empty',
    applications: { total: 0, healthy: 0 },
  })
  const { projects } = await ok(contract.listProjects, { token, query: { q: 'line SH' } })
  expect(projects).toEqual([project])
  const at = { token, params: { id: project.id } }
  const { project: renamed } = await ok(contract.updateProject, { ...at, body: { name: 'Shop' } })
  expect(renamed).toEqual({ ...project, name: 'Shop' })
  const shop = await newShop('till')
  await attach(project.id, { applications: [shop], servers: [server] })
  expect((await ok(contract.getProject, at)).project).toMatchObject({
    state: 'stopped',
    applications: { total: 1, healthy: 0 },
    servers: { total: 1, healthy: 1 },
  })
  await ok(contract.deleteProject, at)
  await refused(contract.getProject, at, 404)
  expect(await projectOf(shop)).toBeNull()
  expect((await ok(getServer, { token, params: { id: server } })).server.projects).toEqual([])
  expect(await eventsOfTarget(db, project.id)).toEqual([
    ['project.created', null],
    ['project.updated', null],
    ['project.attached', 'till, web-1'],
    ['project.deleted', null],
  ])
})

describe('attaching', () => {
  test('adds several members, filters lists by project and shows the project of each', async () => {
    const { id, name } = await newProject()
    const other = await newProject()
    const [one, two, outside] = [await newShop(), await newShop(), await newShop()]
    const second = await newServer()
    await makeDeployment(db, workspace, { id: one, server })
    await makeDeployment(db, workspace, { id: outside, server })
    const applications = [one, two, one]
    expect(await attach(id, { applications, servers: [server, second] })).toMatchObject({
      applications: { total: 2 },
      servers: { total: 2, healthy: 2 },
    })
    await attach(other.id, { servers: [second] })
    const query = { project_id: id }
    const ids = (rows: { id: string }[]) => rows.map((row) => row.id).toSorted()
    expect(ids((await ok(listApplications, { token, query })).applications)).toEqual([one, two].toSorted())
    expect(ids((await ok(listServers, { token, query })).servers)).toEqual([server, second].toSorted())
    const { deployments } = await ok(listDeployments, { token, query })
    expect(deployments.map(({ target }) => target.id)).toEqual([one])
    expect(await projectOf(two)).toEqual({ id, name })
    const { projects } = (await ok(getServer, { token, params: { id: second } })).server
    expect(ids(projects)).toEqual([id, other.id].toSorted())
    // Non-members stay unchanged.
    await detach(other.id, { applications: [one], servers: [server, second] })
    expect(await projectOf(one)).toEqual({ id, name })
    expect(await detach(id, { applications: [one], servers: [server] })).toMatchObject({
      applications: { total: 1 },
      servers: { total: 1 },
    })
    expect(await projectOf(one)).toBeNull()
  })

  test('rejects members of another project by name, unless they are moved', async () => {
    const [from, to] = [await newProject('Docks'), await newProject('Yard')]
    const [one, free] = [await newShop('crane'), await newShop()]
    await attach(from.id, { applications: [one] })
    const before = await fingerprint(db)
    const sent = { token, params: { id: to.id }, body: { applications: [free, one] } }
    const { body } = await refused(contract.attachToProject, sent, 409)
    expect(body).toEqual({
      code: 'in_another_project',
      error: expect.stringMatching(/^Application crane is in project Docks\. .*choose to move it\.$/),
    })
    expect(await fingerprint(db)).toEqual(before)
    await attach(to.id, { applications: [free, one], move: true })
    expect(await projectOf(one)).toEqual({ id: to.id, name: 'Yard' })
    expect((await eventsOfTarget(db, from.id)).at(-1)).toEqual(['project.detached', 'crane'])
  })

  test('returns 404 for members of another workspace and changes nothing', async () => {
    const { id } = await newProject()
    const theirs = await makeTeam(db)
    const foreign = await makeServer(ctx, theirs.workspace, nowhere())
    const shop = await newShop()
    const known = await makeApplication(db, theirs.workspace, foreign)
    const deleting = await makeApplication(db, workspace, server, { deleting_at: new Date() })
    const before = await fingerprint(db)
    for (const body of [
      { applications: [shop], servers: [foreign] },
      { applications: [shop, known], servers: [server] },
      { applications: [deleting] },
      { servers: ['srv_nothing'] },
    ])
      for (const endpoint of [contract.attachToProject, contract.detachFromProject])
        await refused(endpoint, { token, params: { id }, body }, 404)
    await refused(
      contract.attachToProject,
      { token: theirs.member.token, params: { id }, body: { servers: [foreign] } },
      404,
    )
    expect(await fingerprint(db)).toEqual(before)
  })
})

test('creates an application in an existing project', async () => {
  const { id, name } = await newProject()
  const source = { type: 'docker_image', image: 'nginx:1.27' }
  const body = { name: 'Shop', source, server_id: server, project_id: id }
  const { application } = await ok(createApplication, { token, body })
  expect(application.project).toEqual({ id, name })
  const theirs = await makeTeam(db)
  const foreign = await ok(contract.createProject, { token: theirs.member.token, body: { name: 'Theirs' } })
  const sent = { token, body: { ...body, project_id: foreign.project.id } }
  expect((await refused(createApplication, sent, 404)).body).toMatchObject({
    error: 'This project was not found.',
  })
})

test('has its network off by default and lists host names once it is on', async () => {
  const { id, network } = await newProject()
  expect(network).toBe(false)
  const shop = await newShop()
  await attach(id, { applications: [shop] })
  const at = { token, params: { id } }
  expect((await ok(contract.updateProject, { ...at, body: { network: true } })).project.network).toBe(true)
  expect(await eventsOfTarget(db, id)).toContainEqual(['project.updated', null])
  await refused(contract.updateProject, { ...at, body: { network: 'yes' } }, 422)
  const shown = await ok(listApplicationNetworks, { token, params: { id: shop } })
  const { slug } = await db
    .selectFrom('applications')
    .select('slug')
    .where('id', '=', shop)
    .executeTakeFirstOrThrow()
  expect(shown).toMatchObject({
    networks: [],
    project: { id, network: true },
    hosts: [{ service: null, host: slug }],
  })
})
