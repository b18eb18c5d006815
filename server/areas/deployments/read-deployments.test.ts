import { afterAll, expect, test } from 'vitest'
import { createVariable } from '../../../contract/application-entries.ts'
import { getDeployment, listDeployments } from '../../../contract/deployments.ts'
import { makeApplication, makeDeployment } from '../../../test/support/factories/application-factories.ts'
import { makeServer, makeTeam, nowhere } from '../../../test/support/factories/factories.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { appendOutput } from '../outputs/output.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())

test('lists the newest lines of deployments in progress, and no lines of finished ones', async () => {
  const { ctx, db } = slipway
  const { workspace, viewer } = await makeTeam(db)
  const server = await makeServer(ctx, workspace, nowhere())
  const application = await makeApplication(db, workspace, server)
  const all = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`)
  const make = async (status: 'completed' | 'running') => {
    const id = await makeDeployment(db, workspace, { id: application, server }, { status })
    await appendOutput(ctx, db, workspace, id, [{ stream: 'stdout', text: `${all.join('\n')}\n` }])
    return id
  }
  const [finished, running] = [await make('completed'), await make('running')]
  const { token } = viewer
  const { deployments } = await slipway.ok(listDeployments, { token })
  expect(deployments.map(({ id, data }) => [id, data.logs])).toEqual([
    [running, all.slice(-20)],
    [finished, []],
  ])
  const { deployment } = await slipway.ok(getDeployment, { token, params: { id: finished } })
  expect(deployment.data.logs).toEqual(all)
})

test('lists the deployments created in a time span', async () => {
  const { ctx, db } = slipway
  const { workspace, viewer } = await makeTeam(db)
  const server = await makeServer(ctx, workspace, nowhere())
  const application = await makeApplication(db, workspace, server)
  const make = (created_at: string) =>
    makeDeployment(db, workspace, { id: application, server }, { created_at: new Date(created_at) })
  await make('2026-03-01T09:59:59Z')
  const within = await make('2026-03-01T10:00:00Z')
  await make('2026-03-01T11:00:00Z')
  const query = { since: '2026-03-01T10:00:00Z', until: '2026-03-01T11:00:00Z' }
  const { deployments } = await slipway.ok(listDeployments, { token: viewer.token, query })
  expect(deployments.map(({ id }) => id)).toEqual([within])
})

test('masks a secret across pieces for viewers, also if they resume within it', async () => {
  const { ctx, db } = slipway
  const { workspace, member, viewer } = await makeTeam(db)
  const server = await makeServer(ctx, workspace, nowhere())
  const application = await makeApplication(db, workspace, server)
  const body = { key: 'TOKEN', value: 'correct-horse' }
  await slipway.ok(createVariable, { token: member.token, params: { id: application }, body })
  const id = await makeDeployment(db, workspace, { id: application, server }, { status: 'completed' })
  await appendOutput(ctx, db, workspace, id, [
    { stream: 'stdout', origin: 'build', text: 'token: correct' },
    { stream: 'stdout', origin: 'slipway', text: 'Reconnected\n' },
    { stream: 'stdout', origin: 'build', text: '-horse\n' },
  ])
  const { deployment } = await slipway.ok(getDeployment, { token: viewer.token, params: { id } })
  expect(deployment.data.logs).toEqual(['Reconnected', 'token: •••'])
  for (const after of ['0', '1', '2']) {
    const { payload } = await slipway.app.inject({
      url: `/v1/deployments/${id}/logs`,
      headers: { authorization: `Bearer ${viewer.token}`, 'last-event-id': after },
    })
    expect(payload).toContain('token: •••')
    expect(payload).not.toContain('horse')
  }
})
