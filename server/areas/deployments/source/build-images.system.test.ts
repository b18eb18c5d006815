import { expect, test, vi } from 'vitest'
import { planDeployment } from '../../../../contract/compose.ts'
import { openSmallStage } from '../../../../test/support/stages/shop-stage.ts'
import { releaseRepository } from '../../applications/release.ts'
import { longTest } from '../../../../test/support/run/campaign.ts'

const stage = await openSmallStage()
const { slipway, host, member } = stage
const { deploy, request, look, ended, makeShop, setEnv, setFile, containersOf } = stage
slipway.work()

const shop = await makeShop()
await setEnv(shop, { TOKEN: 'a-token-of-ours', KEY: 'a-key-of-ours' })

const file = (step: string) => `
services:
  web:
    command: [sleep, '3600']
    init: true
    build:
      args: { TOKEN: $TOKEN }
      secrets: [key]
      dockerfile_inline: |
        FROM rig/busybox
        ARG TOKEN
        RUN --mount=type=secret,id=key (printf "$$TOKEN "; cat /run/secrets/key) > /made
        RUN ${step}
secrets: { key: { environment: KEY } }
`
const lines = async (program: string, ...args: string[]) =>
  (await host.exec(program, ...args)).trim().split('\n').filter(Boolean)
const images = () => lines('docker', 'images', '--format', '{{.Tag}}', releaseRepository(shop))
const logOf = async (id: string) => (await ended(id)).data.logs.join('\n')
const groups = () => lines('sh', '-c', 'find /sys/fs/cgroup -type d -path "*slipway-builds/*" || true')
const work = () => lines('sh', '-c', 'ls ~/.slipway/work 2>/dev/null || true')

test('builds an image on the server with secrets, and keeps it for its release', async () => {
  await setFile(shop, file('echo built well'))
  // Holds the lock as the build of a repository would.
  await host.exec('mkdir', '-p', '/var/lib/slipway/sources')
  const until = ['sh', '-c', 'touch /tmp/held; until [ -e /tmp/go-on ]; do sleep 0.1; done']
  const other = host.exec('flock', '/var/lib/slipway/sources/builds.lock', ...until)
  await vi.waitFor(() => host.exec('test', '-e', '/tmp/held'))
  const { id } = await request(shop)
  await vi.waitFor(
    async () => expect((await look(id)).data.logs.join('\n')).toContain('Waiting for another build'),
    { interval: 200 },
  )
  await host.exec('touch', '/tmp/go-on')
  await other
  const done = await ended(id)
  expect(done.errors).toEqual([])
  const [container = ''] = await containersOf(shop)
  expect(await host.exec('docker', 'exec', container, 'cat', '/made')).toBe('a-token-of-ours a-key-of-ours')
  expect(await images()).toEqual(['1-web'])
  expect(await logOf(done.id)).toMatch(/Waiting for another build on this server[^]*built well/)
  expect(await logOf(done.id)).not.toMatch(/a-token-of-ours|a-key-of-ours/)
  expect(await work()).toEqual([])
  // Equal sources result in equal images.
  const { plan } = await slipway.ok(planDeployment, { token: member.token, params: { id: shop } })
  expect(plan.services).toMatchObject([{ name: 'web', action: 'unchanged' }])
})

test('explains a failed build and cleans up', async () => {
  await setFile(shop, file('echo "no such thing" && exit 3'))
  const failed = await deploy(shop)
  expect(failed.errors[0]).toMatch(
    /^The build of web failed on .*exit code: 3\. Fix the build, then deploy again\.$/,
  )
  expect(failed.errors.join('\n')).toContain('no such thing')
  await setFile(shop, file('exit 137'))
  expect((await deploy(shop)).errors[0]).toMatch('probably because it ran out of memory')
  expect([await images(), await work()]).toEqual([['1-web'], []])
})

longTest('kills a compose build at the memory limit', async () => {
  const small = { memory_bytes: 700 * 1024 ** 2 }
  await slipway.db.updateTable('servers').set(small).where('id', '=', stage.server).execute()
  await setFile(shop, file('tail -c 900m /dev/zero'))
  const failed = await deploy(shop)
  expect(failed.errors[0]).toMatch(/^The build of web ran out of memory on \S+ \(limit 512 MiB\)\. /)
  expect([await images(), await work(), await groups()]).toEqual([['1-web'], [], []])
})

test('stops a canceled build on the server', async () => {
  await setFile(shop, file('sleep 4321'))
  const { id } = await request(shop)
  const runs = () => lines('sh', '-c', 'pgrep -f "[s]leep 4321" || true')
  await vi.waitFor(async () => expect(await runs()).not.toEqual([]), { interval: 200 })
  await slipway.call('POST /v1/deployments/{id}/cancel', { token: member.token, params: { id } })
  expect(await ended(id)).toMatchObject({ status: 'cancelled' })
  await vi.waitFor(async () => expect(await runs()).toEqual([]), { interval: 200 })
  expect([await images(), await work()]).toEqual([['1-web'], []])
})

test('keeps values out of problems, and ignores variables of Compose', async () => {
  const asked = { token: member.token, params: { id: shop } }
  await setEnv(shop, { TOKEN: 'a-token-of-ours', COMPOSE_PROFILES: 'more' })
  await setFile(shop, 'services: { web: { image: rig/busybox, mem_limit: $TOKEN } }')
  const { problems } = (await slipway.ok(planDeployment, asked)).plan
  expect(problems).toHaveLength(1)
  const failed = await deploy(shop)
  expect(failed.errors[0]).toContain('mem_limit must be a size')
  expect(JSON.stringify([problems, failed, await logOf(failed.id)])).not.toContain('a-token-of-ours')
  await setFile(
    shop,
    'services: { web: { image: rig/busybox }, other: { image: rig/busybox, profiles: [more] } }',
  )
  const { services, warnings } = (await slipway.ok(planDeployment, asked)).plan
  expect(services.map(({ name }) => name)).toEqual(['web'])
  expect(warnings).toContainEqual(
    expect.stringContaining(
      'The variable COMPOSE_PROFILES is ignored because it configures Docker Compose itself',
    ),
  )
})
