import { slipwayLabels } from '../containers/slipway-labels.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import * as contract from '../../../contract/applications.ts'
import { createPorts } from '../../../contract/application-entries.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { openContainerStage } from '../../../test/support/stages/container-stage.ts'
import { loadBusybox, runContainer } from '../../../test/support/stages/containers.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import {
  makeApplication,
  makeDeployment,
  makeRelease,
} from '../../../test/support/factories/application-factories.ts'
import { takeHost } from '../../../test/support/stages/take-host.ts'
import { newId } from '../../platform/ids.ts'
import { getServerHost } from '../servers/server-host.ts'
import { getServerRow } from '../servers/server.ts'
import { listUsedPorts } from './entries/port-conflicts.ts'

const host = await takeHost()
const slipway = await startSlipway()
afterAll(() => slipway.close())
const { db, ctx, ok } = slipway
const stage = await openContainerStage(slipway, host)
const { server, token } = stage
const { workspace } = stage.team

beforeAll(async () => {
  await loadBusybox(host)
  await host.exec('busybox', 'httpd', '-p', '9101', '-h', '/tmp')
  await runContainer(host, { options: ['--name', 'db', '--publish', '9102:80'] })
})

describe('ports in use', () => {
  const find = async (...ports: number[]) => {
    const row = await getServerRow(
      ctx,
      { workspace: { id: workspace, role: 'owner', shell_access: 'members' } },
      server,
    )
    return listUsedPorts(
      getServerHost(ctx, row),
      ports.map((source) => ({ host: '', source })),
    )
  }

  test('are listed with the program that uses them', async () => {
    expect(await find(9101, 9102, 9103)).toEqual(
      new Map([
        [9101, 'busybox'],
        [9102, 'the container db'],
      ]),
    )
    expect(await find()).toEqual(new Map())
  })

  test('do not include those of our own proxy', async () => {
    const options = ['--detach', '--name', 'slipway-proxy', '--network', 'host']
    await host.exec('docker', 'run', ...options, 'rig/busybox', 'busybox', 'httpd', '-f', '-p', '9104')
    await vi.waitFor(async () => expect(await host.exec('cat', '/proc/net/tcp6')).toMatch(/:2390 /))
    expect(await find(9104)).toEqual(new Map())
    await host.exec('docker', 'rename', 'slipway-proxy', 'another')
    expect(await find(9104)).toEqual(new Map([[9104, 'busybox']]))
  })

  test('are rejected at their field', async () => {
    const id = await makeApplication(db, workspace, server)
    const { name } = await getServerRow(
      ctx,
      { workspace: { id: workspace, role: 'owner', shell_access: 'members' } },
      server,
    )
    const sent = { token, params: { id }, body: { ports: '9103:80\n9101:80' } }
    expect((await slipway.refused(createPorts, sent, 422)).body).toEqual({
      errors: {
        'ports.1.source': [
          `Port 9101 on ${name} is already in use by busybox. Stop it, or choose another port.`,
        ],
      },
    })
  })
})

describe('a running application', () => {
  /** Creates the rows and containers that a deployment would leave. */
  async function deployed(...scripts: string[]) {
    const id = await makeApplication(db, workspace, server)
    const release_id = await makeRelease(ctx, workspace, id, 1)
    const deployment_id = await makeDeployment(db, workspace, { id, server }, { release_id })
    const containers = await Promise.all(
      scripts.map(async (script, replica) => {
        const instance = newId('instance')
        const labels = [
          [slipwayLabels.application, id],
          [slipwayLabels.instance, instance],
        ].flatMap(([key, value]) => ['--label', `${key}=${value}`])
        const container_id = await runContainer(host, { script, options: labels })
        await db
          .insertInto('instances')
          .values({
            id: instance,
            workspace_id: workspace,
            application_id: id,
            server_id: server,
            deployment_id,
            release_id,
            replica,
            address: `10.9.${Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250)}`,
            container_id,
            state: 'serving',
          })
          .execute()
        return container_id
      }),
    )
    return { id, containers }
  }
  const read = async (id: Id<'application'>) =>
    (await ok(contract.getApplication, { token, params: { id } })).application
  const untilState = (id: Id<'application'>, wanted: object) =>
    vi.waitFor(async () => expect(await read(id)).toMatchObject(wanted), { interval: 100 })

  test('reads its containers from Docker until the server is watched', async () => {
    const { id, containers } = await deployed('sleep 1000')
    const left = await runContainer(host, {
      script: 'exit 3',
      options: ['--label', `${slipwayLabels.application}=${id}`],
    })
    await runContainer(host, { options: ['--label', `${slipwayLabels.application}=nonsense`] })
    const list = async () =>
      (await ok(contract.listApplicationContainers, { token, params: { id } })).containers.map((one) => ({
        id: one.id,
        role: one.role,
        release: one.release,
      }))
    const wanted = [
      { id: containers[0], role: 'serving', release: 1 },
      { id: left, role: 'left', release: null },
    ]
    expect(await list()).toEqual(wanted)
    expect(await read(id)).toMatchObject({ state: 'unknown', containers: { running: 0, wanted: 1 } })
    slipway.work()
    await stage.untilLive()
    expect(await list()).toEqual(wanted)
    await untilState(id, { state: 'running', reason: null, containers: { running: 1, wanted: 1 } })
  })

  test('has the state of its containers', async () => {
    const { id, containers } = await deployed('sleep 1000', 'sleep 1000')
    const [first = '', second = ''] = containers
    await untilState(id, { state: 'running', containers: { running: 2, wanted: 2 } })
    await host.exec('docker', 'kill', first)
    await untilState(id, {
      state: 'degraded',
      reason: expect.stringMatching(/exited with code 137\.$/),
      containers: { running: 1, wanted: 2 },
    })
    await host.exec('docker', 'rm', '--force', first, second)
    await untilState(id, { state: 'failed', containers: { running: 0, wanted: 2 } })
    const { applications } = await ok(contract.listApplications, { token })
    expect(applications.find((one) => one.id === id)).toMatchObject({ state: 'failed' })
  })
})
