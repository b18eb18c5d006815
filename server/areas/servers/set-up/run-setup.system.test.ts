import { afterAll, describe, expect, test } from 'vitest'
import * as contract from '../../../../contract/setups.ts'
import { startSlipway } from '../../../../test/support/stages/context.ts'
import { makeTeam } from '../../../../test/support/factories/factories.ts'
import {
  argumentsFor,
  latest,
  logOf,
  makeSetting,
  type Setting,
  start,
  takeProvidedHost,
  untilOver,
} from '../../../../test/support/stages/setups.ts'
import { openStream } from '../../../../test/support/clients/streams.ts'
import { setUpScript } from './run-setup-script.ts'
import { longTest } from '../../../../test/support/run/campaign.ts'
import { changeServer } from '../server.ts'

const host = await takeProvidedHost()
const slipway = await startSlipway({ PROXY_IMAGE: host.image.name })
afterAll(() => slipway.close())
slipway.work()

const plugins = '/usr/local/lib/docker/cli-plugins'
const proxyId = async () =>
  (await host.exec('docker', 'inspect', '--format', '{{.Id}} {{.State.StartedAt}}', 'slipway-proxy')).trim()

const eventsOf = async ({ workspace }: Setting) =>
  (
    await slipway.db
      .selectFrom('events')
      .select(['type', 'actor_name'])
      .where('workspace_id', '=', workspace)
      .where('type', 'in', ['server.setup_started', 'server.setup_completed', 'server.setup_failed'])
      .orderBy('id')
      .execute()
  ).map(({ type, actor_name }) => `${actor_name}: ${type}`)

describe('a server with Docker', () => {
  let setting: Setting

  test('becomes ready, and its proxy answers', async () => {
    setting = await makeSetting(slipway, host)
    const { setup: queued } = await start(setting)
    expect(queued).toMatchObject({
      status: 'queued',
      step: null,
      warnings: [],
      actor: { name: setting.admin.name },
    })
    const { setup, log, server } = await untilOver(setting)
    expect(setup).toMatchObject({ id: queued.id, status: 'completed', step: 'verify', error: null })
    expect(setup.finished_at).not.toBeNull()
    expect(log).toMatch(/^Compose 2\.\d+/m)
    expect(setup.warnings).not.toContainEqual(expect.objectContaining({ step: 'compose' }))
    expect(log).toMatch(/^==> connect: Connecting as root$/m)
    expect(log).not.toContain(host.address)
    expect(server).toMatchObject({
      status: 'ready',
      reason: null,
      docker_version: expect.stringMatching(/^\d/),
      compose_version: expect.stringMatching(/^2\.\d/),
    })
    expect([...log.matchAll(/^==> (\w+):/gm)].map(([, step]) => step)).toEqual([...contract.setupSteps])
    expect(await eventsOf(setting)).toEqual([
      `${setting.admin.name}: server.setup_started`,
      'Slipway: server.setup_completed',
    ])
    const answer = await fetch(`http://${host.address}/`)
    expect(answer.status).toBe(404)
    expect(await answer.text()).toContain('Nothing is served at this address')
    expect(await host.exec('sh', '-c', 'ls ~/.slipway/work 2> /dev/null | wc -l')).toBe('0\n')
  })

  test('is set up again without touching what works', async () => {
    const before = await proxyId()
    const first = await latest(setting)
    await start(setting)
    const { setup, log } = await untilOver(setting)
    expect(setup).toMatchObject({ status: 'completed' })
    expect(setup.id).not.toBe(first.id)
    expect(log).not.toContain('Starting the proxy')
    expect(await proxyId()).toBe(before)
  })

  test('becomes ready with a warning when its Compose is too old and cannot be updated', async () => {
    await host.exec('umount', plugins)
    const old = `#!/bin/sh
case $1 in
  docker-cli-plugin-metadata) echo '{"SchemaVersion":"0.1.0","Vendor":"x","Version":"v2.12.2"}' ;;
  *) echo 2.12.2 ;;
esac`
    await host.exec('sh', '-c', 'echo "$1" > "$2" && chmod 755 "$2"', 'sh', old, `${plugins}/docker-compose`)
    await start(setting)
    const { setup, log, server } = await untilOver(setting)
    const lacking =
      'compose applications need Docker Compose 2.20 or newer, and this server has 2.12.2. Other applications work.'
    expect(log).toContain(`Warning: ${lacking}\n`)
    expect(setup).toMatchObject({
      status: 'completed',
      warnings: expect.arrayContaining([{ step: 'compose', text: `C${lacking.slice(1)}` }]),
    })
    expect(server).toMatchObject({ status: 'ready', compose_version: '2.12.2' })
  })

  test('moves its proxy to other ports without a restart', async () => {
    const before = await proxyId()
    await changeServer(slipway.db, setting.workspace, setting.server, {
      http_port: 8080,
      https_port: 8443,
    })
    await start(setting)
    const { setup } = await untilOver(setting)
    expect(setup).toMatchObject({ status: 'completed', error: null })
    expect(await proxyId()).toBe(before)
    expect((await fetch(`http://${host.address}:8080/`)).status).toBe(404)
  })

  test('gets a new proxy when the old one is stopped or of another version', async () => {
    const before = await proxyId()
    await host.exec('docker', 'rm', '--force', 'slipway-proxy')
    await start(setting)
    expect((await untilOver(setting)).setup.status).toBe('completed')
    expect(await proxyId()).not.toBe(before)
  })

  longTest('may have any shell and the programs of Alpine', async () => {
    await host.exec('sh', '-c', 'mkdir /small && busybox --install -s /small')
    for (const shell of [['dash'], ['bash', '--posix'], ['busybox', 'sh']])
      expect(
        await host.exec(
          'env',
          'PATH=/small:/usr/sbin:/usr/bin:/sbin:/bin',
          ...shell,
          '-c',
          setUpScript,
          'sh',
          ...argumentsFor(host, 8080, 8443),
        ),
      ).toContain('The proxy listens on ports 8080 and 8443\n')
  })

  test('gets its Docker started', async () => {
    await host.stopDockerd()
    await start(setting)
    const { setup, log, server } = await untilOver(setting)
    expect(log).toContain('Starting Docker')
    expect(setup).toMatchObject({ status: 'completed', error: null })
    expect(server).toMatchObject({ status: 'ready', reason: null })
  })

  test('streams its log live and from any position', async () => {
    await start(setting)
    const url = `${await slipway.listen()}/v1/servers/${setting.server}/setup/log`
    const headers = { authorization: `Bearer ${setting.admin.token}` }
    const live = await openStream(url, headers)
    expect((await live.event('connected')).data).toEqual({ type: 'connected' })
    await live.untilEnded()
    const streamed = live.heard.flatMap(({ id, data }) => (id ? [{ id, data }] : []))
    expect(live.heard.at(-1)?.data).toEqual({ type: 'end' })
    expect(textOf(streamed)).toBe(await logOf(setting))
    const again = await openStream(url, { ...headers, 'last-event-id': streamed[1]?.id ?? '' })
    await again.untilEnded()
    expect(again.heard.filter(({ id }) => id)).toEqual(streamed.slice(2))
  })

  test('streams a new log from the beginning to a reconnecting client', async () => {
    const url = `${await slipway.listen()}/v1/servers/${setting.server}/setup/log`
    const headers = { authorization: `Bearer ${setting.admin.token}` }
    const earlier = await openStream(url, headers)
    await earlier.untilEnded()
    const heard = earlier.heard.findLast(({ id }) => id)?.id ?? ''
    expect(heard).toMatch(new RegExp(`^${(await latest(setting)).id}:\\d+$`))
    await start(setting)
    const { log } = await untilOver(setting)
    const later = await openStream(url, { ...headers, 'last-event-id': heard })
    await later.untilEnded()
    expect(textOf(later.heard)).toBe(log)
  })
})

const textOf = (streamed: { data: unknown }[]) =>
  streamed
    .map(({ data }) => contract.streamSetup.reply.parse(data))
    .map((event) => ('text' in event ? event.text : ''))
    .join('')

describe('asking for it', () => {
  test('during a setup returns the running one', async () => {
    const setting = await makeSetting(slipway, host)
    const both = await Promise.all([start(setting), start(setting)])
    expect(both[0].setup.id).toBe(both[1].setup.id)
    await untilOver(setting)
    expect(await eventsOf(setting)).toHaveLength(2)
  })

  test('needs a confirmed host key', async () => {
    const { admin, server } = await makeSetting(slipway, host, { host_keys: [] })
    const sent = { token: admin.token, params: { id: server } }
    await slipway.refused(contract.startSetup, sent, 409, 'host_key_unknown')
    expect(await slipway.ok(contract.getSetup, sent)).toEqual({ setup: null })
    await slipway.refused(contract.streamSetup, sent, 404, 'not_found')
  })

  test('finds nothing in another workspace and is refused for members', async () => {
    const { server } = await makeSetting(slipway, host)
    const { admin, member } = await makeTeam(slipway.db)
    const sent = { token: admin.token, params: { id: server } }
    for (const endpoint of [contract.startSetup, contract.getSetup, contract.streamSetup])
      await slipway.refused(endpoint, sent, 404, 'not_found')
    await slipway.refused(contract.startSetup, { ...sent, token: member.token }, 403, 'forbidden')
  })
})
