import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as contract from '../../../contract/containers.ts'
import { openContainerStage } from '../../../test/support/stages/container-stage.ts'
import { statuses } from '../../../test/support/clients/client.ts'
import { runContainer } from '../../../test/support/stages/containers.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeTeam, unique } from '../../../test/support/factories/factories.ts'
import { takeHost } from '../../../test/support/stages/take-host.ts'
import type { Actor } from '../../route.ts'
import { runContainerAction as doAct } from './run-container-action.ts'
import { longTest } from '../../../test/support/run/campaign.ts'

const host = await takeHost()
const slipway = await startSlipway()
afterAll(() => slipway.close())
const stage = await openContainerStage(slipway, host)
const { token, act } = stage

beforeAll(async () => {
  slipway.work()
  await stage.untilLive()
})

const start = async (script?: string) => {
  const name = unique('box')
  const id = await runContainer(host, { options: ['--name', name], ...(script !== undefined && { script }) })
  return { name, id }
}

const eventsFor = (id: string) =>
  slipway.db
    .selectFrom('events')
    .select(['type', 'target_kind', 'target_name', 'detail', 'actor_name'])
    .where('target_id', '=', id)
    .orderBy('id')
    .execute()

const serverName = async () =>
  (
    await slipway.db
      .selectFrom('servers')
      .select('name')
      .where('id', '=', stage.server)
      .executeTakeFirstOrThrow()
  ).name

type Act = (cid: string, action: string, more?: object) => ReturnType<typeof act>
const forms: { form: string; does: Act }[] = [
  { form: 'named in the body', does: (cid, action, more) => act(cid, { action, ...more }) },
  {
    form: 'named in the path',
    does: (cid, action, body) =>
      slipway.call(contract.actOnContainerByPath.key, {
        token,
        params: { id: stage.server, cid, action },
        ...(body && { body }),
      }),
  },
]

describe.each(forms)('an action $form', ({ does }) => {
  test('is done when it is answered, is in the very next list, and is recorded', async () => {
    const { id, name } = await start()
    const steps = [
      ['pause', {}, { state: 'paused' }],
      ['unpause', {}, { state: 'running' }],
      ['stop', {}, { state: 'exited', exit_code: 0 }],
      ['start', {}, { state: 'running' }],
      ['restart', {}, { state: 'running' }],
      ['kill', { signal: 'SIGKILL' }, { state: 'exited', exit_code: 137 }],
      ['rename', { name: `${name}-2` }, { name: `${name}-2` }],
    ] as const
    for (const [action, more, expected] of steps) {
      const got = await does(id, action, more)
      expect(got.body).toMatchObject({ success: true, container: { id, ...expected } })
      expect((await stage.list({ q: id })).containers).toMatchObject([{ id, ...expected }])
    }
    expect((await does(id, 'remove')).body).toEqual({ success: true, container: null })
    expect((await stage.list({ q: id })).containers).toEqual([])
    const on = `on ${await serverName()}`
    const { name: actor_name } = stage.team.admin
    const target = { target_kind: 'container', target_name: name, actor_name }
    expect(await eventsFor(id)).toEqual([
      { type: 'container.paused', ...target, detail: on },
      { type: 'container.unpaused', ...target, detail: on },
      { type: 'container.stopped', ...target, detail: on },
      { type: 'container.started', ...target, detail: on },
      { type: 'container.restarted', ...target, detail: on },
      { type: 'container.killed', ...target, detail: `(SIGKILL) ${on}` },
      { type: 'container.renamed', ...target, detail: `to ${name}-2 ${on}` },
      { type: 'container.removed', ...target, target_name: `${name}-2`, detail: on },
    ])
  })

  test('is refused when unknown or incomplete', async () => {
    const { id } = await start()
    for (const [action, more, field] of [
      ['explode', {}, 'action'],
      ['rename', {}, 'name'],
      ['rename', { name: '-x' }, 'name'],
      ['kill', { signal: 'SIGNOPE' }, 'signal'],
      ['kill', { signal: 'rm -rf /' }, 'signal'],
      ['stop', { force: 'yes' }, 'force'],
    ] as const) {
      const got = await does(id, action, more)
      expect([action, more, got.status]).toEqual([action, more, 422])
      expect(got.body).toMatchObject({ errors: { [field]: [expect.any(String)] } })
    }
    expect(await eventsFor(id)).toEqual([])
    expect((await act(id, { action: 'remove', force: true })).status).toBe(200)
  })
})

test('accepts a name and an ID prefix', async () => {
  const { id, name } = await start()
  expect((await act(name, { action: 'pause' })).status).toBe(200)
  expect((await act(id.slice(0, 12), { action: 'unpause' })).status).toBe(200)
  const gone = await slipway.ok(contract.removeContainer, {
    token,
    params: { id: stage.server, cid: name },
    query: { force: 'true', volumes: 'true' },
  })
  expect(gone).toEqual({ success: true })
  expect(await stage.named(name)).toBeNull()
})

test("responds with a conflict and Docker's reason, without an audit event", async () => {
  const [{ id, name }, taken] = [await start(), await start()]
  const refusals = async (steps: [{ action: string; name?: string }, RegExp][]) => {
    for (const [body, reason] of steps) {
      const got = await act(id, body)
      expect([body, got.status]).toEqual([body, 409])
      expect(got.body).toMatchObject({ code: 'docker_refused', error: expect.stringMatching(reason) })
    }
  }
  await refusals([
    [
      { action: 'remove' },
      new RegExp(`^You cannot remove a running container ${name}\\. Stop the container`),
    ],
    [{ action: 'unpause' }, new RegExp(`^Container ${name} is not paused\\.$`)],
    [
      { action: 'rename', name: taken.name },
      new RegExp(`Conflict\\. .* already in use by container "${taken.id.slice(0, 12)}"`),
    ],
  ])
  await host.exec('docker', 'stop', id)
  await refusals([
    [{ action: 'pause' }, new RegExp(`^Container ${name} is not running\\.$`)],
    [{ action: 'kill' }, / is not running\.$/],
  ])
  expect(await eventsFor(id)).toEqual([])
})

test('succeeds when the container is already in that state', async () => {
  const { id } = await start()
  expect((await act(id, { action: 'start' })).status).toBe(200)
  expect((await act(id, { action: 'stop' })).status).toBe(200)
  expect((await act(id, { action: 'stop' })).body).toMatchObject({ container: { state: 'exited' } })
})

test('returns the reason when a container cannot start', async () => {
  const id = (await host.exec('docker', 'create', 'rig/busybox', '/no/such/program')).trim()
  const got = await act(id, { action: 'start' })
  // Docker reports a missing program as a bad request.
  expect(got.status).toBe(502)
  expect(got.body).toMatchObject({ error: expect.stringMatching(/returned an error: .*no\/such\/program/s) })
})

longTest('responds with a conflict when a port is in use', async () => {
  await runContainer(host, { options: ['--publish', '8099:80'] })
  const id = (await host.exec('docker', 'create', '--publish', '8099:80', 'rig/busybox')).trim()
  const got = await act(id, { action: 'start' })
  expect(got.status).toBe(409)
  expect(got.body).toMatchObject({ error: expect.stringMatching(/port is already allocated/) })
})

longTest('reports that a slow stop continues', async () => {
  const name = unique('slow')
  const options = ['--name', name, '--stop-timeout', '3']
  const id = await runContainer(host, { options, script: 'trap "" TERM; while :; do sleep 1; done' })
  const { admin, workspace } = stage.team
  const actor: Actor = {
    user: admin,
    via: { kind: 'session', id: admin.session },
    tokenHash: '',
    isInstanceOwner: false,
    workspace: { id: workspace, role: 'admin', shell_access: 'members' },
    address: '192.0.2.1',
    agent: '',
    cookie: () => undefined,
  }
  const stopping = doAct(slipway.ctx, actor, { id: stage.server, cid: id }, { action: 'stop' }, 300)
  await expect(stopping).rejects.toMatchObject({ status: 504, code: 'action_goes_on' })
  await stage.shows(name, { state: 'exited', exit_code: 137 })
  expect(await eventsFor(id)).toMatchObject([{ type: 'container.stopped' }])
})

test('tolerates concurrent identical requests', async () => {
  for (const action of ['stop', 'start', 'restart']) {
    const { id } = await start()
    const both = await Promise.all([act(id, { action }), act(id, { action })])
    expect(statuses(both)).toEqual([200, 200])
    expect((await stage.list({ q: id })).containers).toMatchObject([
      { state: action === 'stop' ? 'exited' : 'running' },
    ])
  }
  const { id } = await start()
  const removals = await Promise.all([1, 2, 3].map(() => act(id, { action: 'remove', force: true })))
  expect(statuses(removals)[0]).toBe(200)
  for (const { status } of removals) expect([200, 404, 409]).toContain(status)
  expect((await stage.list({ q: id })).containers).toEqual([])
})

test('responds with 404 for missing containers and invalid names', async () => {
  const params = { id: stage.server }
  for (const cid of ['none', 'ä', '🐳', '../json', '..%2f', '%2e%2e', '-x', 'a b', 'a?b', 'a#b', 'x/../y']) {
    for (const call of [contract.actOnContainer, contract.removeContainer, contract.getContainer]) {
      const body = call === contract.actOnContainer ? { body: { action: 'stop' } } : {}
      const got = await slipway.call(call.key, { token, params: { ...params, cid }, ...body })
      expect([cid, got.status]).toEqual([cid, 404])
      expect(got.body).toMatchObject({ code: 'not_found' })
    }
  }
  expect([404, 422]).toContain((await act('x'.repeat(300), { action: 'stop' })).status)
})

test('refuses viewers and other workspaces', async () => {
  const { id } = await start()
  const stranger = await makeTeam(slipway.db)
  for (const [who, status] of [
    [stage.team.viewer.token, 403],
    [stranger.owner.token, 404],
  ] as const) {
    const sent = { token: who, params: { id: stage.server, cid: id } }
    expect((await act(id, { action: 'stop' }, who)).status).toBe(status)
    await slipway.refused(
      contract.actOnContainerByPath,
      { ...sent, params: { ...sent.params, action: 'stop' } },
      status,
    )
    await slipway.refused(contract.removeContainer, sent, status)
    await slipway.refused(contract.getContainerEnvironment, sent, status)
  }
  await slipway.refused(
    contract.getContainer,
    { token: stranger.owner.token, params: { id: stage.server, cid: id } },
    404,
  )
  await slipway.refused(
    contract.listContainers,
    { token: stranger.owner.token, params: { id: stage.server } },
    404,
  )
  expect((await stage.list({ q: id })).containers).toMatchObject([{ state: 'running' }])
})
