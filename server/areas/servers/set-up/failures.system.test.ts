import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { deleteServer } from '../../../../contract/servers.ts'
import { startSlipway } from '../../../../test/support/stages/context.ts'
import { busyboxImage } from '../../../../test/support/rig/images.ts'
import {
  latest,
  makeSetting,
  start,
  takeProvidedHost,
  untilOver,
  untilSaid,
} from '../../../../test/support/stages/setups.ts'
import { newKeyPair } from '../../../remote/ssh/key-pair.ts'
import { failOrphanedSetups } from './run-setup.ts'
import { longTest } from '../../../../test/support/run/campaign.ts'

const host = await takeProvidedHost()
const slipway = await startSlipway({ PROXY_IMAGE: host.image.name })
afterAll(() => slipway.close())
slipway.work()

/** Returns the error of a failed setup, which the server, the setup and its log share. */
async function whyNot(given: Parameters<typeof makeSetting>[2] = {}, at = host, on = slipway) {
  const setting = await makeSetting(on, at, given)
  await start(setting)
  const { setup, server, log } = await untilOver(setting)
  expect(setup.status).toBe('failed')
  expect(server).toMatchObject({ status: 'failed', reason: setup.error })
  expect(log.split('\n')).toContain(`!! ${setup.error}`)
  const events = await on.db
    .selectFrom('events')
    .select(['type', 'detail'])
    .where('workspace_id', '=', setting.workspace)
    .where('type', '=', 'server.setup_failed')
    .execute()
  expect(events).toEqual([{ type: 'server.setup_failed', detail: setup.error }])
  return { step: setup.step, error: setup.error ?? '' }
}

describe('a port that is taken', () => {
  test('is reported with the program that uses it', async () => {
    await host.exec('busybox', 'httpd', '-p', '9080', '-h', '/tmp')
    expect(await whyNot({ http_port: 9080, https_port: 9443 })).toEqual({
      step: 'check',
      error:
        'Port 9080 is in use by busybox. Stop it or choose other ports in the server settings, then set up again.',
    })
  })

  longTest('is reported with the container that uses it', async () => {
    const busybox = await busyboxImage()
    await host.loadImage(busybox)
    await host.exec('docker', 'run', '--detach', '--name', 'blog', '--publish', '9444:80', busybox.name)
    const { error } = await whyNot({ http_port: 9081, https_port: 9444 })
    expect(error).toMatch(/^Port 9444 is in use by the container blog\. Stop it or choose other ports/)
  })

  test('cannot be used for HTTP and HTTPS', async () => {
    const { error } = await whyNot({ http_port: 9082, https_port: 9082 })
    expect(error).toMatch(/^HTTP and HTTPS cannot both use port 9082\. /)
  })
})

test('refuses the Docker of another system, whose socket is mounted into a container', async () => {
  const wrapper = `#!/bin/sh
case "$*" in *DockerRootDir*) echo /elsewhere/docker ;; *) exec /usr/bin/docker "$@" ;; esac`
  const path = '/usr/local/bin/docker'
  await host.exec('sh', '-c', 'echo "$1" > "$2" && chmod 755 "$2"', 'sh', wrapper, path)
  const refused = await whyNot({ http_port: 9083, https_port: 9483 })
  await host.exec('rm', path)
  expect(refused).toEqual({
    step: 'docker',
    error:
      'Docker runs outside this system, which does not have the folder /elsewhere/docker. If Slipway runs in a container, import its machine over SSH instead.',
  })
})

describe('a user', () => {
  async function loginAs(name: string, sudo: 'nopasswd' | 'none') {
    await host.addUser(name, { sudo })
    const keys = newKeyPair('slipway-test')
    await host.authorize(keys.publicKey, name)
    return { ...host, user: name, keys }
  }

  test('without sudo rights gets instructions', async () => {
    expect(await whyNot({}, await loginAs('nora', 'none'))).toEqual({
      step: 'connect',
      error:
        'Setup requires root access, and nora cannot use sudo without a password. Allow nora to use sudo without a password by adding "nora ALL=(ALL) NOPASSWD: ALL" to a file in /etc/sudoers.d, or log in as root; then set up again.',
    })
  })

  longTest('with sudo rights joins the docker group and reconnects', async () => {
    const setting = await makeSetting(slipway, await loginAs('sue', 'nopasswd'))
    await start(setting)
    const { setup, log } = await untilOver(setting)
    expect(setup).toMatchObject({ status: 'completed', error: null })
    expect(log).toContain('Adding the user sue to the docker group')
    expect(await host.exec('id', '-nG', 'sue')).toContain('docker')
  })

  test('whose key is rejected is reported', async () => {
    const { step, error } = await whyNot({}, { ...host, keys: newKeyPair('unknown') })
    expect(step).toBe('connect')
    expect(error).toContain('rejected Slipway’s key')
  })
})

describe('a server', () => {
  test('with another host key is not touched', async () => {
    const other = newKeyPair('').publicKey.split(' ').slice(0, 2).join(' ')
    const { error } = await whyNot({ host_keys: [other] })
    expect(error).toMatch(/presented a different host key/)
  })

  longTest('that is unreachable fails soon with the reason', async () => {
    const { step, error } = await whyNot({ port: 1 })
    expect(step).toBe('connect')
    expect(error).toMatch(/^Could not reach .*refused/)
  })

  test('with a full disk is reported', async () => {
    onTestFinished(() => host.freeDisk())
    await host.fillDisk()
    const { error } = await whyNot()
    expect(error).toMatch(/^The disk of the server is full: only \d+ MB is free\. Free up space/)
  })

  test('with too little space is reported with the free space', async () => {
    onTestFinished(() => host.freeDisk())
    await host.exec(
      'sh',
      '-c',
      'fallocate -l $(( $(df --output=avail -B1 / | tail -1) - 200000000 )) /filled',
    )
    const { step, error } = await whyNot()
    expect(step).toBe('check')
    expect(error).toMatch(
      /^Only \d{2,3} MB is free on the disk of the server \(at .*\), but 500 MB is required\./,
    )
  })

  longTest('that is deleted during setup ends it', async () => {
    await host.stopDockerd()
    const setting = await makeSetting(slipway, host)
    const { setup } = await start(setting)
    await untilSaid(setting, '==> docker')
    await slipway.ok(deleteServer, { token: setting.admin.token, params: { id: setting.server } })
    await vi.waitFor(
      async () => {
        const jobs = await slipway.db
          .selectFrom('jobs')
          .select('state')
          .where('key', '=', `set-up:${setting.server}`)
          .execute()
        expect(jobs.map(({ state }) => state)).toEqual(['done'])
      },
      { timeout: 120_000 },
    )
    const left = await slipway.db.selectFrom('outputs').select('seq').where('source', '=', setup.id).execute()
    expect(left).toEqual([])
    await host.startDockerd()
  })
})

describe('an image', () => {
  longTest('that cannot be pulled is reported with the error of Docker', async () => {
    const elsewhere = await startSlipway({ PROXY_IMAGE: 'registry.invalid/haproxy:9' })
    onTestFinished(() => elsewhere.close())
    elsewhere.work()
    const { step, error } = await whyNot({}, host, elsewhere)
    expect(step).toBe('proxy')
    expect(error).toMatch(
      /^The proxy image registry\.invalid\/haproxy:9 could not be pulled: .*(lookup|dial|connect).*\. Check the network of the server, or set PROXY_IMAGE/,
    )
  })

  test('and a name are never read as code', async () => {
    const elsewhere = await startSlipway({ PROXY_IMAGE: `'"$(touch /owned)";touch /owned` })
    onTestFinished(() => elsewhere.close())
    elsewhere.work()
    const { error } = await whyNot({ name: '$(touch /owned);`touch /owned`' }, host, elsewhere)
    expect(error).toMatch(/could not be pulled: .*invalid reference format/)
    await expect(host.exec('ls', '/owned')).rejects.toThrow(/No such file/)
  })
})

test('fails a setup without a job', async () => {
  const setting = await makeSetting(slipway, { ...host, port: 1 })
  await start(setting)
  await slipway.db.deleteFrom('jobs').where('key', '=', `set-up:${setting.server}`).execute()
  await failOrphanedSetups(slipway.ctx)
  expect(await latest(setting)).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/^Slipway exited during each attempt/),
  })
})
