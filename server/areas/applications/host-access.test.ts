import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as entries from '../../../contract/application-entries.ts'
import * as contract from '../../../contract/applications.ts'
import { planDeployment } from '../../../contract/compose.ts'
import * as deployments from '../../../contract/deployments.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import * as projects from '../../../contract/projects.ts'
import { makeApplication, makeRelease } from '../../../test/support/factories/application-factories.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeApiToken, makeServer, makeTeam, nowhere } from '../../../test/support/factories/factories.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { db, ctx, ok, refused } = slipway
const team = await makeTeam(db)
const { workspace, member, admin } = team
let server: Id<'server'>
beforeAll(async () => {
  server = await makeServer(ctx, workspace, nowhere(), { status: 'unreachable' })
})

const bind = { source: '/srv/data', target: '/data' }

/** An application with a host mount that an admin approved and whose release is live. */
async function withFolder() {
  const id = await makeApplication(db, workspace, server)
  await ok(entries.createVolume, { token: admin.token, params: { id }, body: bind })
  await makeRelease(ctx, workspace, id, 1)
  const { config } = await db
    .selectFrom('releases')
    .select('config')
    .where('application_id', '=', id)
    .executeTakeFirstOrThrow()
  const live = async (changes: object) =>
    makeRelease(ctx, workspace, id, 2, { config: JSON.stringify({ ...config, volumes: [bind], ...changes }) })
  await live({})
  return { id, at: { token: member.token, params: { id } }, config }
}

describe('a member', () => {
  test('cannot mount a server folder, nor can their token', async () => {
    const id = await makeApplication(db, workspace, server)
    const { token } = await makeApiToken(db, workspace, admin, { role: 'member' })
    for (const as of [member.token, token]) {
      await refused(entries.createVolume, { token: as, params: { id }, body: bind }, 403, 'forbidden')
      const body = {
        name: 'x',
        server_id: server,
        source: { type: 'docker_image', image: 'nginx' },
        volumes: [bind],
      }
      await refused(contract.createApplication, { token: as, body }, 403, 'forbidden')
    }
  })

  test('cannot change what runs with a server folder', async () => {
    const { at } = await withFolder()
    const changes = [{ source: { type: 'docker_image', image: 'evil' } }, { command: ['sh', '-c', 'evil'] }]
    for (const body of changes) await refused(contract.updateApplication, { ...at, body }, 403, 'forbidden')
    const other = { source: 'programs', target: '/usr/bin' }
    await refused(entries.createVolume, { ...at, body: other }, 403, 'forbidden')
    await refused(entries.replaceVolumes, { ...at, body: { volumes: [] } }, 403, 'forbidden')
    await ok(contract.updateApplication, { ...at, body: { name: 'Renamed', replicas: 2 } })
  })

  test('can redeploy the approved configuration, but not a changed environment', async () => {
    const { id, at } = await withFolder()
    const plan = async () => (await ok(planDeployment, at)).plan
    expect(await plan()).toMatchObject({ allowed: true })
    await ok(deployments.deployApplication, { ...at, body: {} })
    const key = 'NODE_OPTIONS'
    await ok(entries.createVariable, { ...at, body: { key, value: '--import=data:text/javascript,evil()' } })
    expect(await plan()).toMatchObject({
      allowed: false,
      refusal: expect.stringContaining('A workspace admin must review the plan and deploy it'),
    })
    await refused(deployments.deployApplication, { ...at, body: {} }, 403, 'forbidden')
    const asAdmin = { token: admin.token, params: { id } }
    const { revision } = (await ok(planDeployment, asAdmin)).plan
    await ok(deployments.deployApplication, { ...asAdmin, body: { revision } })
  })

  test('cannot change that environment through a project', async () => {
    const { id, at } = await withFolder()
    const { token } = member
    const { project } = await ok(projects.createProject, { token, body: { name: `P ${id}` } })
    const inProject = { token, params: { id: project.id } }
    await ok(projects.attachToProject, { ...inProject, body: { applications: [id] } })
    await ok(projects.createProjectVariable, { ...inProject, body: { key: 'BASH_ENV', value: '$(evil)' } })
    await refused(deployments.deployApplication, { ...at, body: {} }, 403, 'forbidden')
  })

  test('cannot roll back to a release with server folders that the live one does not mount', async () => {
    const { id, at, config } = await withFolder()
    const second = await db
      .selectFrom('releases')
      .select('id')
      .where('application_id', '=', id)
      .where('number', '=', 2)
      .executeTakeFirstOrThrow()
    await makeRelease(ctx, workspace, id, 3, { config: JSON.stringify({ ...config, volumes: [] }) })
    const back = { ...at, body: { release_id: second.id } }
    await refused(deployments.rollBackApplication, back, 403, 'forbidden')
    await ok(deployments.rollBackApplication, { ...back, token: admin.token })
  })
})

describe('an admin', () => {
  const key = 'NODE_OPTIONS'
  const value = '--require=/x/evil.js'
  const approvals = (id: Id<'application'>) =>
    db.selectFrom('deployments').select('allow_host_access').where('application_id', '=', id).execute()

  test('sees in the plan what changed since host access was approved', async () => {
    const { id, at } = await withFolder()
    const asAdmin = { token: admin.token, params: { id } }
    expect((await ok(planDeployment, asAdmin)).plan).toMatchObject({ allowed: true, host_access: [] })
    await ok(entries.createVariable, { ...at, body: { key, value } })
    const { plan } = await ok(planDeployment, asAdmin)
    expect(plan).toMatchObject({ allowed: true, refusal: null })
    expect(plan.host_access).toEqual([
      'The container mounts server folder /srv/data at /data.',
      'Not approved yet: the environment variable NODE_OPTIONS.',
    ])
    expect(JSON.stringify(plan)).not.toContain('evil')
  })

  test('approves only the configuration that the plan showed', async () => {
    const { id, at } = await withFolder()
    const asAdmin = { token: admin.token, params: { id } }
    const { revision } = (await ok(planDeployment, asAdmin)).plan
    await ok(entries.createVariable, { ...at, body: { key, value } })
    const { text } = await refused(deployments.deployApplication, { ...asAdmin, body: {} }, 403, 'forbidden')
    expect(text).toContain('with the `revision` of the plan')
    await refused(deployments.deployApplication, { ...asAdmin, body: { revision } }, 409, 'changed_since')
    expect(await approvals(id)).toEqual([])
    const now = (await ok(planDeployment, asAdmin)).plan.revision
    await ok(deployments.deployApplication, { ...asAdmin, body: { revision: now } })
    expect(await approvals(id)).toEqual([{ allow_host_access: true }])
  })

  test('must name the plan revision to approve privileged options', async () => {
    const plain = { type: 'compose', compose: 'services:\n  web:\n    image: nginx:1\n' }
    const body = { name: 'Shop', server_id: server, source: plain }
    const { application, revision } = await ok(contract.createApplication, { token: admin.token, body })
    const params = { id: application.id }
    const source = { ...plain, compose: `${plain.compose}    privileged: true\n    pid: host\n` }
    await ok(contract.updateApplication, { token: member.token, params, body: { source } })
    const { token } = await makeApiToken(db, workspace, admin, { role: 'admin' })
    const sent = { token: admin.token, params, body: {} }
    await refused(deployments.deployApplication, { ...sent, body: { revision } }, 409, 'changed_since')
    for (const as of [admin.token, token]) await ok(deployments.deployApplication, { ...sent, token: as })
    expect(await approvals(application.id)).toEqual([
      { allow_host_access: false },
      { allow_host_access: false },
    ])
  })

  test('deploys a created application directly unless it inherits variables', async () => {
    const { token } = admin
    const source = { type: 'docker_image', image: 'nginx:1' }
    const body = { name: 'Mounted', server_id: server, source, volumes: [bind] }
    const { application, revision } = await ok(contract.createApplication, { token, body })
    const params = { id: application.id }
    expect((await ok(planDeployment, { token, params })).plan).toMatchObject({
      revision,
      host_access: [expect.stringContaining('/srv/data'), expect.stringContaining('the image nginx:1')],
    })
    await ok(deployments.deployApplication, { token, params, body: { revision } })
    expect(await approvals(application.id)).toEqual([{ allow_host_access: true }])
    const { project } = await ok(projects.createProject, { token: member.token, body: { name: 'Inherits' } })
    const variable = { token: member.token, params: { id: project.id }, body: { key, value } }
    await ok(projects.createProjectVariable, variable)
    const inside = { ...body, name: 'Inside', project_id: project.id }
    expect((await ok(contract.createApplication, { token, body: inside })).revision).toBeNull()
  })
})

test('lets only instance owners mount folders of This machine', async () => {
  const own = await makeTeam(db)
  const local = await makeServer(ctx, own.workspace, nowhere(), { kind: 'local', status: 'unreachable' })
  const id = await makeApplication(db, own.workspace, local)
  const sent = { token: own.admin.token, params: { id }, body: bind }
  await refused(entries.createVolume, sent, 403, 'forbidden')
  await db.updateTable('users').set({ instance_owner: true }).where('id', '=', own.admin.id).execute()
  // The new role applies after a notification of the database, so retry until it has arrived.
  const again = async () => (await slipway.call(entries.createVolume.key, sent)).status
  await expect.poll(again).toBeLessThan(300)
})
