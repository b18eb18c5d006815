import { afterAll, expect, test } from 'vitest'
import { getSetupChanges } from '../../../../contract/setups.ts'
import { makeServer, makeTeam, nowhere } from '../../../../test/support/factories/factories.ts'
import { startSlipway } from '../../../../test/support/stages/context.ts'

const slipway = await startSlipway({ PROXY_IMAGE: 'registry.example.com/haproxy:3' })
afterAll(() => slipway.close())
const { viewer, workspace } = await makeTeam(slipway.db)
const namesOf = async (query: Record<string, string> = {}) =>
  (await slipway.ok(getSetupChanges, { token: viewer.token, query })).changes.map(
    ({ kind, name }) => `${kind} ${name}`,
  )

test('lists the packages, ports, containers and files that setup changes', async () => {
  expect(await namesOf()).toEqual([
    'package Docker',
    'package Docker Compose',
    'package git',
    'port 80 and 443',
    'container slipway-proxy',
    'file .ssh/authorized_keys',
    'file /var/lib/slipway/proxy',
    'file /etc/docker/daemon.json',
  ])
  const { changes } = await slipway.ok(getSetupChanges, { token: viewer.token })
  expect(changes[4]?.text).toContain('registry.example.com/haproxy:3')
  expect(await namesOf({ kind: 'local' })).not.toContain('file .ssh/authorized_keys')
})

test('names the ports and the user of a server', async () => {
  const given = { http_port: 8080, https_port: 8443, username: 'deploy' }
  const server_id = await makeServer(slipway.ctx, workspace, nowhere(), given)
  expect(await namesOf({ server_id })).toEqual(
    expect.arrayContaining(['port 8080 and 8443', 'user deploy', 'file .ssh/authorized_keys']),
  )
})

test('knows no server of another workspace and no invalid ID', async () => {
  const other = await makeTeam(slipway.db)
  const server_id = await makeServer(slipway.ctx, other.workspace, nowhere())
  const sent = { token: viewer.token, query: { server_id } }
  await slipway.refused(getSetupChanges, sent, 404, 'not_found')
  const { status } = await slipway.call(getSetupChanges.key, {
    token: viewer.token,
    query: { kind: 'cloud' },
  })
  expect(status).toBe(422)
})
