import { afterAll, expect, test } from 'vitest'
import * as entries from '../../../contract/application-entries.ts'
import * as contract from '../../../contract/servers.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeApplication } from '../../../test/support/factories/application-factories.ts'
import { machineOf, makeServer, makeTeam, nowhere } from '../../../test/support/factories/factories.ts'
import { newId } from '../../platform/ids.ts'
import { readRouting } from './read-routing.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { ctx, db } = slipway

type Host = ReturnType<typeof nowhere>

/** Creates a workspace with a set-up server on that machine and an application. */
async function makeStage(host: Host, given: Parameters<typeof makeServer>[3] = {}) {
  const team = await makeTeam(db)
  const used = { http_port_used: given.http_port ?? 80, https_port_used: given.https_port ?? 443 }
  const server = await makeServer(ctx, team.workspace, host, { status: 'unreachable', ...used, ...given })
  const id = await makeApplication(db, team.workspace, server)
  const { token } = team.admin
  return {
    server,
    id,
    asked: { token, params: { id } },
    put: (body: object) => ({ token, params: { id: server }, body }),
    publish: (source: number) => ({ token, params: { id }, body: { ports: [{ source, target: 1 }] } }),
    insertPort: (source: number, created_at: Date) =>
      db
        .insertInto('published_ports')
        .values({
          id: newId('publishedPort'),
          workspace_id: team.workspace,
          application_id: id,
          source,
          target: 1,
          created_at,
        })
        .execute(),
  }
}

const routingOf = ({ hostKey }: Host) => readRouting(ctx, machineOf(hostKey))

test('separates web ports and published ports across workspaces', async () => {
  const host = nowhere()
  const [one, other] = [await makeStage(host), await makeStage(host, { http_port: 8080, https_port: 8443 })]
  await slipway.ok(entries.createPorts, one.publish(5432))
  const whyNot = async (stage: typeof one, body: object) =>
    (await slipway.refused(contract.updateServer, stage.put(body), 422)).body
  expect(await whyNot(other, { http_port: 5432 })).toEqual({
    errors: {
      http_port: [
        'Port 5432 is published by an application of another workspace on this machine. Choose another port.',
      ],
    },
  })
  expect(await whyNot(one, { https_port: 5432 })).toEqual({
    errors: { https_port: [expect.stringMatching(/^Port 5432 is published by the application shop/)] },
  })
  expect(await whyNot(one, { http_port: 8443 })).toEqual({
    errors: {
      http_port: ['Port 8443 is used by the proxy for HTTPS on this machine. Choose another port.'],
    },
  })
  await slipway.ok(contract.updateServer, other.put({ http_port: 80 }))
  await slipway.ok(contract.updateServer, other.put({ http_port: 9000 }))
  // Neither the current nor the configured proxy ports are available.
  for (const port of [8080, 9000, 8443]) await slipway.refused(entries.createPorts, one.publish(port), 422)
})

test('listens on other ports once they were set up', async () => {
  const host = nowhere()
  const one = await makeStage(host)
  await makeStage(host, { http_port: 8080, http_port_used: null, https_port_used: null })
  await slipway.ok(contract.updateServer, one.put({ http_port: 9000 }))
  expect(await routingOf(host)).toMatchObject({ httpPorts: [80], httpsPorts: [443] })
  await db.updateTable('servers').set({ http_port_used: 9000 }).where('id', '=', one.server).execute()
  expect(await routingOf(host)).toMatchObject({ httpPorts: [9000], httpsPorts: [443] })
})

test('gives a contested port to the first claim', async () => {
  const host = nowhere()
  const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour))
  const one = await makeStage(host, { machine_since: at(1) })
  await one.insertPort(7000, at(2))
  await one.insertPort(7001, at(4))
  // The server joined the machine later, however old its routes are.
  const other = await makeStage(host, { machine_since: at(3), http_port: 7000, https_port: 80 })
  await other.insertPort(7001, at(0))
  await other.insertPort(443, at(0))
  const { httpPorts, httpsPorts, applications } = await routingOf(host)
  expect({ httpPorts, httpsPorts }).toEqual({ httpPorts: [80], httpsPorts: [443] })
  const ports = new Map(applications.map((application) => [application.id, application.ports]))
  expect(ports.get(one.id)).toMatchObject([{ source: 7000 }])
  expect(ports.get(other.id)).toMatchObject([{ source: 7001 }])
  const lost = async (stage: typeof one) =>
    (await slipway.ok(entries.listPorts, stage.asked)).ports.map((port) => [port.source, port.routing_error])
  const elsewhere = 'routes to an application of another workspace, which used it first on this server.'
  expect(await lost(one)).toEqual([
    [7000, null],
    [7001, `Port 7001 ${elsewhere} Remove one of the two.`],
  ])
  expect(await lost(other)).toEqual([
    [443, 'Port 443 is the HTTPS port of the proxy on this server. Publish another port.'],
    [7001, null],
  ])
})
