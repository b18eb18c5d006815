import { afterAll, expect, test } from 'vitest'
import * as entries from '../../../contract/application-entries.ts'
import * as contract from '../../../contract/servers.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeApplication } from '../../../test/support/factories/application-factories.ts'
import { makeServer, makeTeam, nowhere } from '../../../test/support/factories/factories.ts'
import { newId } from '../../platform/ids.ts'
import { readRouting } from './read-routing.ts'
import { findServer } from '../servers/server.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { ctx, db } = slipway

/** Creates a workspace with a set-up server and an application. */
async function makeStage() {
  const { workspace, admin } = await makeTeam(db)
  const given = { status: 'unreachable', http_port_used: 80, https_port_used: 443 } as const
  const server = await makeServer(ctx, workspace, nowhere(), given)
  const id = await makeApplication(db, workspace, server)
  const { token } = admin
  return {
    workspace,
    server,
    id,
    put: (body: object) => ({ token, params: { id: server }, body }),
    publish: (source: number) => ({ token, params: { id }, body: { ports: [{ source, target: 1 }] } }),
    routing: async () => {
      const row = await findServer({ db }, workspace, server)
      if (!row) throw new Error('The server is gone.')
      return readRouting(ctx, row)
    },
  }
}

test('separates web ports and published ports', async () => {
  const { publish, put } = await makeStage()
  await slipway.ok(entries.createPorts, publish(5432))
  for (const field of ['http_port', 'https_port'])
    expect((await slipway.refused(contract.updateServer, put({ [field]: 5432 }), 422)).body).toEqual({
      errors: {
        [field]: [
          expect.stringMatching(
            /^Port 5432 is published by the application shop\S*\. Choose another port\.$/,
          ),
        ],
      },
    })
  await slipway.ok(contract.updateServer, put({ http_port: 9000 }))
  // Applications can publish neither the current nor the configured ports of the proxy.
  for (const port of [80, 9000, 443]) await slipway.refused(entries.createPorts, publish(port), 422)
})

test('listens on other ports once they were set up', async () => {
  const { server, put, routing } = await makeStage()
  await slipway.ok(contract.updateServer, put({ http_port: 9000 }))
  expect(await routing()).toMatchObject({ httpPorts: [80], httpsPorts: [443] })
  await db.updateTable('servers').set({ http_port_used: 9000 }).where('id', '=', server).execute()
  expect(await routing()).toMatchObject({ httpPorts: [9000], httpsPorts: [443] })
})

test('gives a port that was restored by a rollback to the older claim', async () => {
  const { workspace, server, id, routing } = await makeStage()
  const other = await makeApplication(db, workspace, server)
  const insert = (application_id: typeof id, hour: number) =>
    db
      .insertInto('published_ports')
      .values({
        id: newId('publishedPort'),
        workspace_id: workspace,
        application_id,
        source: 7000,
        target: 1,
        created_at: new Date(Date.UTC(2026, 0, 1, hour)),
      })
      .execute()
  await insert(id, 2)
  await insert(other, 1)
  const ports = new Map(
    (await routing()).applications.map((application) => [application.id, application.ports]),
  )
  expect(ports.get(id)).toEqual([])
  expect(ports.get(other)).toMatchObject([{ source: 7000 }])
})
