import { afterAll, expect, test } from 'vitest'
import * as contract from '../../../contract/saved-logs.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import {
  makeApplication,
  makeDeployment,
  makeRelease,
} from '../../../test/support/factories/application-factories.ts'
import { makeServer, makeTeam } from '../../../test/support/factories/factories.ts'
import { runContainer } from '../../../test/support/stages/containers.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { untilLast } from '../../../test/support/stages/logs.ts'
import { takeHost } from '../../../test/support/stages/take-host.ts'
import { newId } from '../../platform/ids.ts'
import { readContainers } from '../containers/read-containers.ts'
import { replaceContainers } from '../containers/store.ts'
import { getServerHost } from '../servers/server-host.ts'
import { findServer } from '../servers/server.ts'
import { copyLogs } from './copy-logs.ts'
import { saveContainerLog } from './saved-log.ts'
import { insertSavedLog } from './store.ts'

const host = await takeHost()
const slipway = await startSlipway()
afterAll(() => slipway.close())
const { ctx, db, ok } = slipway
const { workspace, viewer } = await makeTeam(db)
const server = await makeServer(ctx, workspace, host)

async function getServer() {
  const row = await findServer(ctx, workspace, server)
  if (!row) throw new Error('The server is gone.')
  return row
}

/** Creates an application with a container of its first release. */
async function start(script: string, log_megabytes = 50, options: string[] = []) {
  const id = await makeApplication(db, workspace, server, { log_megabytes })
  const release_id = await makeRelease(ctx, workspace, id, 1)
  const deployment_id = await makeDeployment(db, workspace, { id, server })
  const container = await runContainer(host, { script, options, application: id })
  const instance = {
    id: newId('instance'),
    workspace_id: workspace,
    application_id: id,
    server_id: server,
    deployment_id,
    release_id,
    replica: 1,
    container_id: container,
    state: 'serving' as const,
  }
  await db.insertInto('instances').values(instance).execute()

  async function list() {
    // The watcher does this after each change.
    const { docker } = getServerHost(ctx, await getServer())
    await replaceContainers(db, workspace, server, await readContainers(docker, new AbortController().signal))
    return (await ok(contract.listSavedLogs, { token: viewer.token, params: { id }, query: {} })).logs
  }
  const search = async (q: string) =>
    (await ok(contract.searchSavedLogs, { token: viewer.token, params: { id }, query: { q } })).matches.map(
      ({ text }) => text,
    )
  return { id, container, list, search, owner: { workspace_id: workspace, id, log_days: 7, log_megabytes } }
}

const copy = async () => copyLogs(ctx, await getServer(), new AbortController().signal)
const chunksOf = async (id: Id<'application'>) =>
  db
    .selectFrom('saved_log_chunks as c')
    .innerJoin('saved_logs as l', 'l.id', 'c.log_id')
    .selectAll('c')
    .where('l.application_id', '=', id)
    .orderBy('c.seq')
    .execute()
const inTurn = (...lines: string[]) =>
  `${lines.map((line, index) => `until [ -e /${index} ]; do sleep 0.05; done; ${line}`).join('; ')}; exec sleep 1000`
const goOn = (container: string, index: number) =>
  host.exec('docker', 'exec', container, 'touch', `/${index}`)

test('keeps the output of a container that is removed by hand', async () => {
  const shop = await start(inTurn('seq 1 3', 'echo failed; echo more'))
  await goOn(shop.container, 0)
  await untilLast(host, shop.container, '3')
  await copy()
  await copy()
  expect(await chunksOf(shop.id)).toHaveLength(1)
  // Until the container is removed, its log is read from Docker.
  expect(await shop.list()).toEqual([])
  expect(await shop.search('1')).toEqual([])
  await goOn(shop.container, 1)
  await untilLast(host, shop.container, 'more')
  await copy()
  expect(await chunksOf(shop.id)).toHaveLength(2)
  await host.exec('docker', 'rm', '--force', shop.container)
  expect(await shop.list()).toMatchObject([
    { release: 1, lines: 5, exit_code: null, truncated: false, container: { id: shop.container } },
  ])
  expect(await shop.search('failed')).toEqual(['failed'])
  // The copy stays when there is nothing left to copy.
  await copy()
  expect(await shop.list()).toHaveLength(1)
}, 120_000)

test('replaces a copy that would become too large by the newest output', async () => {
  const many = (from: number, to: number) =>
    `seq ${from} ${to} | sed "s/$/ ${'x'.repeat(100)}/"; echo until ${to}`
  const shop = await start(inTurn(many(1, 3_000), many(3_001, 12_000)), 10)
  await goOn(shop.container, 0)
  await untilLast(host, shop.container, 'until 3000')
  await copy()
  await goOn(shop.container, 1)
  await untilLast(host, shop.container, 'until 12000')
  await copy()
  await host.exec('docker', 'rm', '--force', shop.container)
  const [log] = await shop.list()
  expect(log?.truncated).toBe(true)
  expect(log?.bytes).toBeLessThanOrEqual(1_000_000)
  expect(await shop.search('until')).toEqual(['until 12000'])
}, 120_000)

test('continues after a log that Docker cannot read', async () => {
  const silent = await start('exec sleep 1000', 50, ['--log-driver', 'none'])
  const shop = await start('echo all; exec sleep 1000')
  const begun = { lines: 1, bytes: 1, first_at: new Date(), last_at: new Date() }
  await insertSavedLog(db, {
    ...begun,
    id: newId('savedLog'),
    workspace_id: workspace,
    application_id: silent.id,
    release: 1,
    container_id: silent.container,
    container_name: 'silent',
    copied_to: 'the last line',
  })
  await untilLast(host, shop.container, 'all')
  await copy()
  expect(await chunksOf(shop.id)).toHaveLength(1)
}, 120_000)

test('is replaced by the whole log when Slipway removes the container, and never replaces it', async () => {
  const shop = await start('echo all; exec sleep 1000')
  await untilLast(host, shop.container, 'all')
  await copy()
  const [instance] = await db
    .selectFrom('instances')
    .selectAll()
    .where('application_id', '=', shop.id)
    .execute()
  if (!instance) throw new Error('There is no instance.')
  await saveContainerLog(ctx, await getServer(), shop.owner, instance, shop.container)
  const [saved] = await shop.list()
  expect(saved).toMatchObject({ lines: 1 })
  await copy()
  expect(await shop.list()).toEqual([saved])
}, 120_000)
