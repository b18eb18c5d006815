import { expect, test, vi } from 'vitest'
import { deleteApplication } from '../../../contract/applications.ts'
import { planDeployment } from '../../../contract/compose.ts'
import { deployApplication, rollBackApplication } from '../../../contract/deployments.ts'
import { runContainer } from '../../../test/support/stages/containers.ts'
import { startDeployer } from '../../../test/support/stages/deployments.ts'
import { openSmallStage } from '../../../test/support/stages/shop-stage.ts'
import { newId } from '../../platform/ids.ts'
import { releaseRepository } from '../applications/release.ts'
import { applicationFolderPath, applicationProjectName } from '../containers/application-folder.ts'

const stage = await openSmallStage()
const { slipway, host, workspace, member, owner } = stage
const { deploy, ended, makeShop, setEnv, setFile, containersOf } = stage
slipway.work()

const shop = await makeShop()
const { slug } = await slipway.db
  .selectFrom('applications')
  .select('slug')
  .where('id', '=', shop)
  .executeTakeFirstOrThrow()
const project = applicationProjectName({ id: shop, slug })
const asked = { token: member.token, params: { id: shop } }

const file = ({ front = '{}', kind = 'kept', web = '[front, back]' } = {}) => `
services:
  web:
    image: rig/busybox
    command: [sleep, '3600']
    init: true
    networks: ${web}
    depends_on: [data]
    secrets: [{ source: key, uid: '1000', mode: 0400 }]
    configs: [{ source: settings, target: /etc/app/settings.conf }]
  data:
    image: rig/busybox
    command: [sh, -c, 'trap "exit 0" TERM; sleep 3600 & wait']
    networks: [back]
    volumes: ['data:/data', './files:/files']
networks:
  front: ${front}
  back: { internal: true }
volumes: { data: { labels: { kind: ${kind} } } }
secrets: { key: { environment: KEY } }
configs: { settings: { content: 'price=5$$' } }
`

const lines = async (program: string, ...args: string[]) =>
  (await host.exec(program, ...args)).trim().split('\n').filter(Boolean)
const networks = () =>
  lines('docker', 'network', 'ls', '--format', '{{.Name}}', '--filter', `name=${project}_`)
const images = () => lines('docker', 'images', '--format', '{{.Tag}}', releaseRepository(shop))
const subnetOf = (name: string) =>
  host.exec(
    'docker',
    'network',
    'inspect',
    '--format',
    '{{(index .IPAM.Config 0).Subnet}}',
    `${project}_${name}`,
  )
const inside = async (service: string, ...command: string[]) => {
  const names = await containersOf(shop)
  return host.exec('docker', 'exec', names.find((name) => name.includes(`-${service}-`)) ?? '', ...command)
}
const warnings = async () => (await slipway.ok(planDeployment, asked)).plan.warnings

test('creates networks, volumes, secrets and configs before the containers start', async () => {
  await setEnv(shop, { KEY: 'a secret of ours' })
  await setFile(shop, file())
  const done = await deploy(shop)
  expect(done.errors).toEqual([])
  expect(await inside('web', 'cat', '/run/secrets/key')).toBe('a secret of ours')
  expect((await inside('web', 'stat', '-c', '%u %a', '/run/secrets/key')).trim()).toBe('1000 400')
  expect(await inside('web', 'cat', '/etc/app/settings.conf')).toBe('price=5$')
  expect(done.data.logs.join('\n')).not.toContain('a secret of ours')
  // Subnets are small and adjacent, so that a server has room for many.
  const subnets = [(await subnetOf('back')).trim(), (await subnetOf('front')).trim()].toSorted()
  const [range] = (subnets[0] ?? '').split('.0.0/24')
  expect(subnets).toEqual([`${range}.0.0/24`, `${range}.1.0/24`])
  expect(
    await host.exec('docker', 'volume', 'inspect', '--format', '{{.Labels.kind}}', `${project}-data`),
  ).toContain('kept')
  expect((await images()).toSorted()).toEqual(['1-data', '1-web'])
  expect(await warnings()).toEqual([])
})

test('keeps networks and volumes in use when their definition changes, with a warning', async () => {
  await setFile(shop, file({ front: '{ attachable: true }', kind: 'changed' }))
  const said = await warnings()
  expect(said).toHaveLength(3)
  expect(said[0]).toMatch('The definition of network front changed.')
  expect(said[1]).toMatch('The definition of volume data changed. The existing volume and its data are kept')
  expect(said[2]).toBe('data is stopped first: expect a few seconds of downtime.')
  const done = await deploy(shop)
  expect(done.errors).toEqual([])
  expect(done.data.logs).toContain(`Warning: ${said[0]}`)
})

test('removes unused networks and requires external ones', async () => {
  await setFile(shop, file({ web: '[back]' }))
  expect((await deploy(shop)).errors).toEqual([])
  expect(await networks()).toEqual([`${project}_back`])
  await setFile(shop, file({ front: '{ external: true, name: elsewhere }' }))
  // An owner deploys, because external networks may belong to other applications.
  const failed = await startDeployer(slipway, owner.token).deploy(shop)
  expect(failed.errors[0]).toBe(
    'The external network front does not exist: the server has no network elsewhere. Create it, or remove `external` from the compose file.',
  )
  expect(await images()).toEqual(expect.not.arrayContaining(['4-web']))
})

const backNeedsAdmin =
  'This release needs host access that the live release does not have. Ask a workspace admin to roll back to it.'

test('refuses a member to roll back to removed host access, or to use it for another program', async () => {
  const plain = file({ web: '[back]' })
  const strong = plain.replace('    init: true', '    init: true\n    cap_add: [NET_ADMIN]')
  await setFile(shop, strong)
  expect((await startDeployer(slipway, owner.token).deploy(shop)).errors).toEqual([])
  expect((await deploy(shop)).errors).toEqual([])
  await setFile(shop, strong.replace('3600', '3601'))
  const says = 'web has the capability NET_ADMIN, which containers do not have by default.'
  const { plan } = await slipway.ok(planDeployment, asked)
  expect(plan).toMatchObject({ host_access: [says], allowed: false })
  expect((await deploy(shop)).errors[1]).toBe(says)
  const { release_id } = await slipway.db
    .selectFrom('applications')
    .select('release_id')
    .where('id', '=', shop)
    .executeTakeFirstOrThrow()
  await setFile(shop, plain)
  expect((await deploy(shop)).errors).toEqual([])
  const query = { release_id: release_id ?? '' }
  expect((await slipway.ok(planDeployment, { ...asked, query })).plan).toMatchObject({
    host_access: [says],
    allowed: false,
    refusal: backNeedsAdmin,
  })
  const goBack = async (token: string) =>
    ended((await slipway.ok(rollBackApplication, { ...asked, token, body: query })).deployment.id)
  expect((await goBack(member.token)).errors).toEqual([backNeedsAdmin, says])
  expect((await goBack(owner.token)).errors).toEqual([])
})

test('lets members use volumes of the workspace, except those created with host access', async () => {
  const label = ['--label', `slipway.application=${shop}`]
  const bound = ['type=none', 'o=bind', 'device=/srv'].flatMap((option) => ['--opt', option])
  await host.exec('docker', 'volume', 'create', ...label, 'plain')
  await host.exec('docker', 'volume', 'create', ...label, ...bound, 'strong')
  const using = `
services: { web: { image: rig/busybox, volumes: ['plain:/a', 'strong:/b'] } }
volumes: { plain: { external: true, name: plain }, strong: { external: true, name: strong } }
`
  await setFile(shop, using)
  const { plan } = await slipway.ok(planDeployment, asked)
  expect(plan).toMatchObject({
    host_access: ['Volume strong may belong to another application.'],
    allowed: false,
  })
  await host.exec('docker', 'volume', 'rm', 'plain', 'strong')
})

test('protects volumes of containers with host access, also behind a variable', async () => {
  const label = ['--label', `slipway.application=${shop}`]
  await host.exec('docker', 'volume', 'create', ...label, 'plain')
  await host.exec('docker', 'volume', 'create', 'foreign')
  await setFile(
    shop,
    "services: { web: { image: rig/busybox, volumes: ['data:/a'] } }\nvolumes: { data: { name: '${WHERE}' } }\n",
  )
  const planWith = async (where: string) => {
    await setEnv(shop, { WHERE: where })
    const { host_access: hostAccess, allowed } = (await slipway.ok(planDeployment, asked)).plan
    return { hostAccess, allowed }
  }
  expect(await planWith('plain')).toEqual({ hostAccess: [], allowed: true })
  const guard = await runContainer(host, { options: ['--volume', '/etc:/host', '--volume', 'plain:/there'] })
  expect(await planWith('plain')).toMatchObject({ allowed: false })
  await host.exec('docker', 'rm', '--force', guard)
  expect(await planWith('foreign')).toMatchObject({ allowed: false })
  expect((await deploy(shop)).errors[0]).toMatch(
    /^This deployment needs host access that no admin has approved/,
  )
  await host.exec('docker', 'volume', 'rm', 'plain', 'foreign')
})

test('refuses a member to deploy a privileged service', async () => {
  await setFile(shop, "services: { web: { image: rig/busybox, privileged: true, command: [sleep, '1'] } }")
  const says = 'web is privileged and has root access to the server.'
  expect((await slipway.ok(planDeployment, asked)).plan).toMatchObject({
    host_access: [says],
    allowed: false,
  })
  const failed = await deploy(shop)
  expect([failed.status, failed.errors[1]]).toEqual(['failed', says])
  await setFile(shop, file({ web: '[back]' }))
})

test('deletes everything except volumes that were not named or are in use', async () => {
  const user = await runContainer(host, {
    options: ['--volume', `${project}-data:/there`, '--name', 'reader'],
  })
  const query = { volumes: `${project}-data`, folder: 'true' }
  const used = await slipway.refused(deleteApplication, { ...asked, query }, 409, 'volume_in_use')
  expect(used.text).toMatch(`The volume ${project}-data is also used by the container reader`)
  await host.exec('docker', 'rm', '--force', user)
  expect(await containersOf(shop)).toHaveLength(2)
  const folder = applicationFolderPath({ id: shop, slug })
  expect(await lines('ls', folder)).toEqual(['files'])
  await slipway.ok(deleteApplication, { ...asked, query })
  await vi.waitFor(
    async () => {
      const left = await slipway.db.selectFrom('applications').select('id').where('id', '=', shop).execute()
      expect(left).toEqual([])
    },
    { interval: 100 },
  )
  expect([await containersOf(shop), await networks(), await images()]).toEqual([[], [], []])
  expect(await lines('docker', 'volume', 'ls', '--quiet')).toEqual([])
  expect(await lines('sh', '-c', 'ls /var/lib/slipway/applications')).toEqual([])
})

const many = await makeShop()
const sleeping = "image: rig/busybox, command: [sleep, '3600'], init: true"

test('starts more services than there are database connections', async () => {
  const services = Array.from({ length: 14 }, (_, nth) => `  s${nth}: { ${sleeping}, network_mode: none }`)
  await setFile(many, `services:\n  web: { ${sleeping}, expose: ['8000'] }\n${services.join('\n')}\n`)
  const { status, errors, data } = await deploy(many)
  expect([status, ...errors]).toEqual(['completed'])
  expect(data.logs.join('\n')).not.toContain('database')
  expect(await containersOf(many)).toHaveLength(15)
})

const planOfMany = async () =>
  (await slipway.ok(planDeployment, { token: member.token, params: { id: many } })).plan

test('warns about domains that route nowhere', async () => {
  const of = { workspace_id: workspace, application_id: many, path: '/', https: false }
  const leading = [
    { service: 's1', port: 80 },
    { service: 'web', port: 9000 },
  ]
  const domains = leading.map((one, nth) => ({ ...of, ...one, id: newId('domain'), host: `at${nth}.test` }))
  await slipway.db.insertInto('domains').values(domains).execute()
  await setFile(many, `services: { web: { ${sleeping}, expose: ['9000'] } }`)
  expect((await planOfMany()).warnings).toEqual([
    expect.stringMatching(/^The proxy on \S+ is not running\./),
    'The domain at0.test routes to the service s1, which is not deployed, so requests fail. Choose another service, or remove the domain.',
  ])
})

const readProblems = async () => (await planOfMany()).problems.map(({ message }) => message)

test('reports unavailable ports and names in the plan as in the deployment', async () => {
  await slipway.db.deleteFrom('domains').where('application_id', '=', many).execute()
  const name = 'listens'
  await runContainer(host, { options: ['--publish', '18090:80', '--name', name] })
  await setFile(
    many,
    `services:
  web: { ${sleeping}, ports: ['18090:9000', '18091:9000'] }
  own: { ${sleeping}, container_name: listens }
`,
  )
  const said = await readProblems()
  expect(said).toEqual([
    expect.stringMatching(/^Port 18090 on \S+ is already in use by the container listens\. Stop it/),
    expect.stringMatching(/^The container_name listens of own is already used by another container on \S+\./),
  ])
  // The file publishes no ports, because a deployment with ports would set up the server first.
  await setFile(many, `services: { own: { ${sleeping}, container_name: listens } }`)
  const failed = await deploy(many)
  expect([failed.status, ...failed.errors]).toEqual(['failed', said[1]])
  await host.exec('docker', 'rm', '--force', name)
  expect(await readProblems()).toEqual([])
})

test('plans the setup of a server without a proxy for published ports', async () => {
  await setFile(many, `services: { web: { ${sleeping}, ports: ['18090:9000'] } }`)
  const { problems, warnings } = await planOfMany()
  expect(problems).toEqual([])
  expect(warnings).toContainEqual(
    expect.stringMatching(/^The proxy on \S+ is not running\. The deployment sets up the server first\.$/),
  )
})

test('requires an admin for custom subnets', async () => {
  const used = (
    await host.exec('docker', 'network', 'inspect', '--format', '{{(index .IPAM.Config 0).Subnet}}', 'bridge')
  ).trim()
  const withSubnet = (subnet: string) => `
services: { web: { ${sleeping}, networks: [back] } }
networks: { back: { ipam: { config: [{ subnet: ${subnet} }] } } }
`
  await setFile(many, withSubnet(used))
  expect(await readProblems()).toEqual([
    `The subnet ${used} of network back overlaps with ${used} of another Docker network on the server. Choose another subnet in the compose file, or remove it.`,
  ])
  await host.exec('ip', 'route', 'add', '10.77.0.0/16', 'dev', 'eth0')
  await setFile(many, withSubnet('10.77.3.0/24'))
  const { host_access: hostAccess, allowed, refusal } = await planOfMany()
  expect(hostAccess).toEqual([
    'Network back uses the subnet 10.77.3.0/24, which overlaps the server’s route to 10.77.0.0/16 through eth0: hosts in this subnet become unreachable from the server.',
  ])
  expect([allowed, refusal]).toEqual([
    false,
    expect.stringMatching(/^This deployment needs host access that no admin has approved/),
  ])
  await host.exec('ip', 'route', 'del', '10.77.0.0/16')
  // The default route may lead to these addresses even without the removed route.
  expect((await planOfMany()).allowed).toBe(false)
})

test('deploys only the reviewed revision', async () => {
  await setFile(many, `services: { web: { ${sleeping} } }`)
  const { revision } = await planOfMany()
  const deployIt = { token: owner.token, params: { id: many }, body: { revision } }
  await setFile(many, `services: { web: { ${sleeping}, privileged: true } }`)
  const { text } = await slipway.refused(deployApplication, deployIt, 409, 'changed_since')
  expect(text).toMatch(/changed since you reviewed the plan/)
  await setFile(many, `services: { web: { ${sleeping} } }`)
  await setEnv(many, { KEY: 'another' })
  await slipway.refused(deployApplication, deployIt, 409, 'changed_since')
  const now = (await planOfMany()).revision
  const { deployment } = await slipway.ok(deployApplication, { ...deployIt, body: { revision: now } })
  // A worker may have started it by now.
  expect(deployment).toMatchObject({ type: 'deploy_application', errors: [] })
  await slipway.call('POST /v1/deployments/{id}/cancel', {
    token: owner.token,
    params: { id: deployment.id },
  })
  await ended(deployment.id)
})
