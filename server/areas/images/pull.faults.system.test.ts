import { sql } from 'kysely'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Id } from '../../../contract/shared/ids.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeServer, makeTeam, unique } from '../../../test/support/factories/factories.ts'
import { startPuller } from '../../../test/support/stages/pulls.ts'
import { publish, startRegistry } from '../../../test/support/programs/registry.ts'
import { startGate } from '../../../test/support/fakes/registry-gate.ts'
import { takeHost } from '../../../test/support/stages/take-host.ts'
import { newId } from '../../platform/ids.ts'
import type { JobRun } from '../../platform/jobs.ts'
import { deleteOldPulls, failOrphanedPulls, pullImage } from './pull-image.ts'
import { longTest } from '../../../test/support/run/campaign.ts'

const host = await takeHost()
const registry = await startRegistry(host)
const closed = await startRegistry(host, { asksForLogIn: true })
const slipway = await startSlipway()
afterAll(() => slipway.close())
const { workspace, admin } = await makeTeam(slipway.db)
const name = unique('web')
const id = await makeServer(slipway.ctx, workspace, host, { name })
slipway.work()
const { pull, look, ended, eventsOf } = startPuller(slipway, id, admin.token)
const image = await publish(host, registry, 'shop/web:1.0', { a: 3_000_000, b: 2_500_000 })

const failed = async (wanted: string) => {
  const begun = await pull(wanted)
  const now = await ended(begun.id)
  expect(now.status).toBe('failed')
  return now.error
}

/** Starts a pull through a gate that stops halfway. */
async function halfWay() {
  const gate = await startGate(registry)
  gate.close()
  const slow = image.replace(registry.address, gate.address)
  await host.exec('docker', 'image', 'prune', '--all', '--force')
  const begun = await pull(slow)
  await vi.waitFor(() => expect(gate.held()).toBeGreaterThan(1))
  return { gate, begun, slow }
}

describe('a failing pull', () => {
  test('reports a missing image or tag and writes an event', async () => {
    const none = `${registry.address}/shop/none:latest`
    expect(await failed(none)).toMatch(
      /^The registry [\d.:]+ has no image \S+\/shop\/none:latest\. Check the name and the tag\. Docker error: .+\.$/,
    )
    expect(await failed(`${registry.address}/shop/web:9`)).toMatch(/ has no image /)
    expect(await eventsOf(none)).toMatchObject([
      { type: 'image.pull_started' },
      { type: 'image.pull_failed', detail: expect.stringMatching(`^on ${name}: The registry`) },
    ])
  })

  test('reports that a login is required', async () => {
    expect(await failed(`${closed.address}/shop/web:1.0`)).toMatch(
      /^The registry [\d.:]+ requires credentials for .+, and the workspace has none\. Make the image public/,
    )
  })

  test('reports an unreachable registry', async () => {
    expect(await failed(`${host.machine}:1/shop/web:1.0`)).toMatch(
      /^The server cannot reach the registry \S+:1\. Check that the registry is running/,
    )
  })

  test('reports a full disk', async () => {
    await host.exec('docker', 'image', 'prune', '--all', '--force')
    await host.fillDisk()
    onTestFinished(() => host.freeDisk())
    expect(await failed(image)).toMatch(
      /^The disk of the server is full\. Free up space, then pull \S+ again\./,
    )
  })
})

longTest('stalls when nothing more arrives', async () => {
  const gate = await startGate(registry)
  gate.close()
  await host.exec('docker', 'image', 'prune', '--all', '--force')
  const row = { workspace_id: workspace, server_id: id, actor_name: 'Ada', status: 'queued' } as const
  const stuck = image.replace(registry.address, gate.address)
  const pullId = newId('pull')
  await slipway.db
    .insertInto('pulls')
    .values({ id: pullId, image: stuck, ...row })
    .execute()
  const run: JobRun = {
    id: newId('job'),
    attempt: 1,
    fence: 1,
    signal: new AbortController().signal,
    assertLease: async () => {},
  }
  await pullImage(slipway.ctx, workspace, pullId, run, 2_000)
  expect(gate.held()).toBeGreaterThan(0)
  expect(await look(pullId)).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/^The pull of \S+ made no progress/),
  })
})

describe('an interrupted pull', () => {
  test('continues after dockerd was killed and restarted', async () => {
    const { gate, begun } = await halfWay()
    await host.killDockerd()
    gate.open()
    expect(await ended(begun.id)).toMatchObject({ status: 'completed', error: null })
  })

  longTest('reports what it waits for while the network is down, and continues afterwards', async () => {
    const { gate, begun } = await halfWay()
    await host.cut()
    onTestFinished(() => host.plug())
    await vi.waitFor(
      async () =>
        expect(await look(begun.id)).toMatchObject({
          status: 'queued',
          error: expect.stringMatching(`^Could not reach ${name}: .+ Slipway will retry the pull\\.$`),
        }),
      { interval: 200 },
    )
    await host.plug()
    gate.open()
    expect(await ended(begun.id)).toMatchObject({ status: 'completed', error: null })
  })

  test('fails with the reason when the server stays unreachable', async () => {
    const { begun } = await halfWay()
    await host.stopDockerd()
    onTestFinished(() => host.startDockerd())
    // Simulates that only the last attempt is left.
    await sql`update jobs set failures = attempts - 1 where id = (select job_id from pulls where id = ${begun.id})`.execute(
      slipway.db,
    )
    expect(await ended(begun.id)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(`^The server ${name} returned an error: Docker is not responding`),
    })
  })
})

test('fails pulls whose workers died and deletes old ones', async () => {
  const make = async (given: {
    status: 'running' | 'completed'
    finished_at?: Date
  }): Promise<Id<'pull'>> => {
    const pullId = newId('pull')
    const row = { workspace_id: workspace, server_id: id, image: unique('lost'), actor_name: 'Ada' }
    await slipway.db
      .insertInto('pulls')
      .values({ id: pullId, ...row, ...given })
      .execute()
    return pullId
  }
  const days = (count: number) => new Date(Date.now() - count * 86_400_000)
  const lost = await make({ status: 'running' })
  const old = await make({ status: 'completed', finished_at: days(8) })
  const young = await make({ status: 'completed', finished_at: days(6) })
  await failOrphanedPulls(slipway.ctx)
  await deleteOldPulls(slipway.ctx)
  expect(await look(lost)).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('because Slipway stopped'),
  })
  expect(await look(young)).toMatchObject({ status: 'completed' })
  await expect(look(old)).rejects.toThrow('404')
  await failOrphanedPulls(slipway.ctx)
  expect(await eventsOf((await look(lost)).image)).toMatchObject([{ type: 'image.pull_failed' }])
})
