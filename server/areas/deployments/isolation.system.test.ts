import { expect, test, vi } from 'vitest'
import { deleteApplication } from '../../../contract/applications.ts'
import { planDeployment } from '../../../contract/compose.ts'
import { listChanges } from '../../../contract/releases.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { attachToProject, createProject, deleteProject, updateProject } from '../../../contract/projects.ts'
import { startDeployer } from '../../../test/support/stages/deployments.ts'
import { makeServer, makeTeam } from '../../../test/support/factories/factories.ts'
import { longTest, times } from '../../../test/support/run/campaign.ts'
import { openShopStage } from '../../../test/support/stages/shop-stage.ts'
import { applicationProjectName } from '../containers/application-folder.ts'
import { findServer } from '../servers/server.ts'
import { ensureNetwork } from './networks/own-networks.ts'
import { ownNetworkSpec } from './networks/own-networks.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const stage = await openShopStage('1', '2')
const { slipway, ctx, db, host, workspace, server, token, admin } = stage
const { deploy, instancesOf, makeShop, setFile, containersOf } = stage
slipway.work()

const docker = async (...args: string[]) => (await host.exec('docker', ...args)).trim()
const lines = async (...args: string[]) => (await docker(...args)).split('\n').filter(Boolean)
const networksOf = async (container: string) =>
  Object.keys(
    JSON.parse(await docker('inspect', '--format', '{{json .NetworkSettings.Networks}}', container)),
  ).toSorted()

const script = `
  const [host, port, timeout] = process.argv.slice(1)
  const socket = require('net').connect({ host, port, timeout: Number(timeout) })
  const end = (said) => { console.log(said); process.exit() }
  socket.on('connect', () => end('connected')).on('timeout', () => end('timed out')).on('error', (error) => end(error.code))`
/** Returns the result of a connection attempt from a container. An answer may take long on a busy machine. */
const connectFrom = (container: string, to: string, port: number, timeoutMs = 30_000) =>
  docker('exec', container, 'node', '-e', script, to, String(port), String(timeoutMs))
const soon = 1_500

/** Docker forwards unknown names to a name server, which may be unreachable from the rig. */
const notFound = /^(ENOTFOUND|EAI_AGAIN|timed out)$/

const nameOf = async (shop: Id<'application'>, service = '') =>
  (await containersOf(shop)).find((name) => name.includes(`-${service}`)) ?? ''
const addressOf = async (shop: Id<'application'>) => (await instancesOf(shop))[0]?.address ?? ''
const slugOf = async (id: Id<'application'>) =>
  (await db.selectFrom('applications').select('slug').where('id', '=', id).executeTakeFirstOrThrow()).slug

const [one, other] = [await makeShop('one.test'), await makeShop('other.test')]
await Promise.all([one, other].map(deploy))

test('isolates containers from other applications and from the server', async () => {
  const attacker = await nameOf(one)
  expect(await networksOf(attacker)).toEqual([`slipway-${one}`])
  expect(await connectFrom(attacker, await addressOf(one), 3000)).toBe('connected')
  expect(await connectFrom(attacker, await addressOf(other), 3000, soon)).toBe('timed out')
  expect(await connectFrom(attacker, await slugOf(other), 3000, soon)).toMatch(notFound)
  // The gateway offers a container only the public ports: Docker and the proxy's admin socket listen on no port.
  const gateway = await docker(
    'inspect',
    '--format',
    `{{(index .NetworkSettings.Networks "slipway-${one}").Gateway}}`,
    attacker,
  )
  expect(await connectFrom(attacker, gateway, 80)).toBe('connected')
  expect(await connectFrom(attacker, gateway, 3000)).toBe('ECONNREFUSED')
  const listening = (await host.exec('ss', '-Hltn'))
    .split('\n')
    .map((line) => Number(/:(\d+)\s/.exec(line)?.[1]))
  expect(new Set(listening.filter(Boolean))).toEqual(new Set([22, 80, 443]))
})

test('refuses networks and containers of other applications and of Slipway', async () => {
  const shop = await makeShop()
  const problems = async (text: string) => {
    await setFile(shop, text)
    const { plan } = await slipway.ok(planDeployment, { token: admin.token, params: { id: shop } })
    return plan.problems.map(({ message }) => message)
  }
  const victim = await makeShop()
  await setFile(victim, `services: { web: { image: 'rig/app:1' } }`, ['web'])
  expect((await deploy(victim)).errors).toEqual([])
  const theirs = `${applicationProjectName({ id: victim, slug: await slugOf(victim) })}_default`
  const joining = (network: string) =>
    `services: { web: { image: 'rig/app:1', networks: [it] } }\nnetworks: { it: { ${network} } }`
  const another = [expect.stringMatching(/^The network it \(\S+\) belongs to another application\./)]
  expect(await problems(joining(`external: true, name: ${theirs}`))).toEqual(another)
  expect(await problems(joining(`name: ${theirs}`))).toEqual(another)
  expect(await problems(joining(`external: true, name: slipway-${one}`))).toEqual([
    expect.stringMatching(/^The network it has the name slipway-\S+, which is reserved for Slipway\./),
  ])
  const sharing = (mode: string) =>
    `services: { web: { image: 'rig/app:1', network_mode: 'container:${mode}' } }`
  expect(await problems(sharing(await nameOf(one)))).toEqual([
    expect.stringMatching(
      /^web uses network_mode: container:\S+, but this container belongs to another application\./,
    ),
  ])
  expect(await problems(sharing('slipway-proxy'))).toEqual([
    expect.stringMatching(
      /^web uses network_mode: container:slipway-proxy, but this container is the proxy of the server\./,
    ),
  ])
  // A forced deployment fails in the same way.
  expect((await startDeployer(slipway, admin.token).deploy(shop)).errors[0]).toMatch(
    /is the proxy of the server/,
  )
  // A network that another user created in place of the application's own is not joined.
  const own = `${applicationProjectName({ id: shop, slug: await slugOf(shop) })}_default`
  await docker('network', 'create', own)
  expect(await problems(`services: { web: { image: 'rig/app:1' } }`)).toEqual([
    expect.stringMatching(/on the server was not created by Slipway for this application\./),
  ])
  await docker('network', 'rm', own)
})

test('isolates services as the file says, and still routes to internal ones', async () => {
  const shop = await makeShop()
  await setFile(
    shop,
    `services:
  edge: { image: 'rig/app:1', networks: [front] }
  db: { image: 'rig/app:1', networks: [back], ports: ['18080:3000'] }
networks: { front: {}, back: { internal: true } }`,
    ['edge', 'db'],
  )
  expect((await deploy(shop)).errors).toEqual([])
  const [edge, db] = [await nameOf(shop, 'edge-'), await nameOf(shop, 'db-')]
  const shown = JSON.parse(await docker('inspect', '--format', '{{json .NetworkSettings.Networks}}', db))
  const addresses: string[] = Object.values(shown).map((network) => Object(network).IPAddress)
  expect(addresses).toHaveLength(2)
  for (const address of addresses) expect(await connectFrom(edge, address, 3000, soon)).toBe('timed out')
  expect(await host.exec('curl', '-sS', '--max-time', '30', 'http://127.0.0.1:18080/')).toContain('1')
  const internal = ['network', 'inspect', '--format', '{{.Internal}}', ...(await networksOf(db))]
  expect(await lines(...internal)).toEqual(['true', 'true'])
  await slipway.ok(deleteApplication, { token, params: { id: shop } })
  await vi.waitFor(async () =>
    expect(await lines('network', 'ls', '--quiet', '--filter', `label=slipway.application=${shop}`)).toEqual(
      [],
    ),
  )
})

longTest('connects applications of a project by alias once its network is on', async () => {
  const { project } = await slipway.ok(createProject, { token, body: { name: 'Harbour' } })
  const shops = [one, other]
  await db.updateTable('applications').set({ project_id: project.id }).where('id', 'in', shops).execute()
  const turn = (network: boolean) =>
    slipway.ok(updateProject, { token, params: { id: project.id }, body: { network } })
  const changes = async () =>
    (await slipway.ok(listChanges, { token, params: { id: one } })).changes.map(({ field, kind }) => [
      field,
      kind,
    ])
  expect(await changes()).toEqual([])
  expect((await turn(true)).project.network).toBe(true)
  expect(await changes()).toEqual([['project_network', 'added']])
  for (const shop of shops) expect((await deploy(shop)).errors).toEqual([])
  expect(await changes()).toEqual([])
  expect(await connectFrom(await nameOf(one), await slugOf(other), 3000)).toBe('connected')
  await turn(false)
  expect(await changes()).toEqual([['project_network', 'removed']])
  for (const shop of shops) expect((await deploy(shop)).errors).toEqual([])
  expect(await connectFrom(await nameOf(one), await slugOf(other), 3000, soon)).toMatch(notFound)
  expect(await lines('network', 'ls', '--quiet', '--filter', `name=slipway-${project.id}`)).toEqual([])
})

longTest('connects and disconnects unchanged services to the project network without a restart', async () => {
  const shop = await makeShop()
  const file = `services:
  db: { image: 'rig/app:1', ports: ['127.0.0.1:18081:3000'] }
  worker: { image: 'rig/app:1' }
  hidden: { image: 'rig/app:1', networks: [back], ports: ['127.0.0.1:18082:3000'] }
networks: { back: { internal: true } }`
  await setFile(shop, file, ['db', 'worker', 'hidden'])
  expect((await deploy(shop)).errors).toEqual([])
  const before = await nameOf(shop, 'db-')
  const startedAt = () => docker('inspect', '--format', '{{.State.StartedAt}}', before)
  const since = await startedAt()
  const { project } = await slipway.ok(createProject, { token, body: { name: 'Dock' } })
  const at = { token, params: { id: project.id } }
  await slipway.ok(attachToProject, { ...at, body: { applications: [shop] } })
  await slipway.ok(updateProject, { ...at, body: { network: true } })
  const { plan } = await slipway.ok(planDeployment, { token, params: { id: shop } })
  expect(plan.warnings).toEqual([
    expect.stringMatching(/^Other applications in project Dock cannot reach hidden, worker:/),
  ])
  expect((await deploy(shop)).errors).toEqual([])
  expect((await slipway.ok(listChanges, { token, params: { id: shop } })).changes).toEqual([])
  const network = `slipway-${project.id}`
  expect(await networksOf(before)).toContain(network)
  for (const service of ['worker-', 'hidden-'])
    expect(await networksOf(await nameOf(shop, service))).not.toContain(network)
  const aliases = `{{(index .NetworkSettings.Networks "${network}").Aliases}}`
  expect(await docker('inspect', '--format', aliases, before)).toContain(`${await slugOf(shop)}-db`)
  await slipway.ok(deleteProject, at)
  expect((await deploy(shop)).errors).toEqual([])
  expect(await networksOf(before)).not.toContain(network)
  expect(await lines('network', 'ls', '--quiet', '--filter', `name=${network}`)).toEqual([])
  expect(await startedAt()).toBe(since)
})

longTest('creates networks for many applications, also when the pools of Docker are exhausted', async () => {
  const subnetsOf = async (ids: string[]) => {
    const names = ids.map((id) => `slipway-${id}`)
    return lines('network', 'inspect', '--format', '{{(index .IPAM.Config 0).Subnet}}', ...names)
  }
  const ensure = async (at: Id<'server'>, workspaceId: Id<'workspace'>, ids: Id<'application'>[]) => {
    const row = await findServer(ctx, workspaceId, at)
    if (row) for (const id of ids) await ensureNetwork({ ctx, server: row }, ownNetworkSpec(id))
    return subnetsOf(ids)
  }
  const many = Array.from({ length: times(5, 40) }, (_, nth) => `app_many_${nth}` as const)
  const subnets = await ensure(server, workspace, many)
  expect(new Set(subnets).size).toBe(many.length)
  expect(subnets.every((subnet) => subnet.endsWith('/26'))).toBe(true)
  // A new application has no address range yet, and Docker has none left.
  const fill = 'i=0; while docker network create filler$i; do i=$((i + 1)); done'
  await host.exec('sh', '-c', fill)
  const theirs = await makeTeam(db)
  const late = await makeServer(ctx, theirs.workspace, host)
  expect(await ensure(late, theirs.workspace, ['app_late'])).toEqual(['10.128.0.0/26'])
  await docker('network', 'prune', '--force')
})
