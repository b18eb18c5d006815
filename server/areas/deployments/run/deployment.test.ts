import { afterAll, expect, test, vi } from 'vitest'
import type { Id } from '../../../../contract/shared/ids.ts'
import { createTestDatabase } from '../../../../test/support/run/database.ts'
import { secrets, startTestWorker } from '../../../../test/support/stages/workers.ts'
import { newId } from '../../../platform/ids.ts'
import type { Job } from '../../../platform/jobs.ts'
import { requestProxySync } from '../../servers/proxy-sync.ts'
import { enqueueDeletion } from '../delete-application.ts'
import { enqueueDeploy } from './deployment.ts'

const { connection, db, drop } = await createTestDatabase()
afterAll(drop)

test('does not let hanging deployments block other servers, routes or deletions', async () => {
  const begun: string[] = []
  const hanging: Job<undefined> = {
    kind: 'deploy',
    async handle(_, payload, { signal }) {
      begun.push(JSON.stringify(payload))
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
    },
  }
  const quick = ['sync-proxy', 'delete-application'].map((kind) => ({
    kind,
    handle: async () => void begun.push(kind),
  }))
  await startTestWorker(connection, [hanging, ...quick])
  const workspace_id = newId('workspace')
  const deployOn = async (server_id: Id<'server'>, type = 'deploy_application') => {
    const of = {
      workspace_id,
      server_id,
      application_id: newId('application'),
      id: newId('deployment'),
      type,
    }
    await db.transaction().execute((trx) => enqueueDeploy({ secrets }, trx, of))
    return of
  }
  const untilBegun = (many: number) => vi.waitFor(() => expect(begun).toHaveLength(many), { interval: 20 })

  const crowded = newId('server')
  for (let nth = 0; nth < 6; nth++) await deployOn(crowded)
  await untilBegun(4)
  const other = await deployOn(newId('server'))
  await untilBegun(5)
  expect(begun.at(-1)).toContain(other.id)
  for (let nth = 0; nth < 5; nth++) {
    const server = newId('server')
    for (let more = 0; more < 4; more++) await deployOn(server)
  }
  await untilBegun(25)
  // Stops and rollbacks do not wait for builds, nor builds for them.
  for (let nth = 0; nth < 6; nth++) await deployOn(crowded, 'build_application')
  await untilBegun(29)
  const building = newId('server')
  for (let nth = 0; nth < 5; nth++) await deployOn(building, 'build_application')
  const stop = await deployOn(building, 'stop_application')
  await vi.waitFor(() => expect(begun.join()).toContain(stop.id), { interval: 20 })
  await untilBegun(34)
  await db.transaction().execute(async (trx) => {
    await requestProxySync({ secrets }, trx, { workspace_id, server_id: crowded })
    const gone = { workspace_id, id: newId('application') }
    await enqueueDeletion({ secrets }, trx, gone, { volumes: [], folder: false, leave: false })
  })
  await untilBegun(36)
  expect(begun.slice(34).toSorted()).toEqual(['delete-application', 'sync-proxy'])
})
