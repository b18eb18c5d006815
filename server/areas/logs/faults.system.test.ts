import { describe, expect, onTestFinished, test } from 'vitest'
import { makeServer } from '../../../test/support/factories/factories.ts'
import * as logs from '../../../test/support/stages/logs.ts'
import type { Stream } from '../../../test/support/clients/streams.ts'

const { counting, endOf, expectCounted, keptCounting, linesOf, more, textsOf, until, untilSaid } = logs
const stage = await logs.startLogStage()
const { host, slipway } = stage

describe('when the container', () => {
  test('stops, the stream ends after all lines', async () => {
    const cid = await stage.run('echo up; until [ -e /go ]; do sleep 0.05; done; echo down; printf end')
    const stream = await stage.stream(cid)
    await untilSaid(stream, 'up')
    await stage.go(cid)
    await stream.untilEnded()
    expect(textsOf(stream)).toEqual(['up', 'down', 'end'])
    expect(endOf(stream)).toBe('The container stopped.')
    const again = await stage.stream(cid)
    await again.untilEnded()
    expect([textsOf(again), endOf(again)]).toEqual([['up', 'down', 'end'], 'The container is not running.'])
  })

  test('is removed, the stream ends with the reason', async () => {
    const cid = await stage.run(counting)
    const stream = await stage.stream(cid, { tail: 'all' })
    await more(stream)
    await host.exec('docker', 'rm', '--force', cid)
    await stream.untilEnded()
    expect(endOf(stream)).toBe('The container was removed.')
    expectCounted(textsOf(stream))
  })

  test('is restarted or restarts itself, the stream continues', async () => {
    const cid = await stage.run(keptCounting, ['--restart', 'always'])
    const stream = await stage.stream(cid, { tail: 'all' })
    await more(stream)
    await host.exec('docker', 'restart', '--time', '0', cid)
    await more(stream, 40)
    // Killing all processes also ends this exec.
    await host.exec('docker', 'exec', cid, 'sh', '-c', 'kill -9 -1').catch(() => {})
    await more(stream, 40)
    expect(endOf(stream)).toBeUndefined()
    await expectUnbroken(stream, cid)
  })
})

/** Compares with Docker's log. A killed run may have printed a number that Docker did not keep. */
async function expectUnbroken(stream: Stream, cid: string) {
  const seen = linesOf(stream)
  for (const [of, only] of [
    ['stdout', 'docker logs "$0" 2>/dev/null'],
    ['stderr', 'docker logs "$0" 2>&1 >/dev/null'],
  ]) {
    const own = seen.filter((line) => line.stream === of).map(({ text }) => text)
    const all = (await host.exec('sh', '-c', only ?? '', cid)).split('\n')
    expect(own).toEqual(all.slice(0, own.length))
  }
}

describe('when the connection is lost', () => {
  test('because dockerd restarts, the stream continues', async () => {
    const cid = await stage.run(keptCounting, ['--restart', 'always'])
    const stream = await stage.stream(cid, { tail: 'all' })
    await more(stream)
    await host.killDockerd()
    await host.untilDockerAnswers()
    await more(stream)
    expect(endOf(stream)).toBeUndefined()
  })

  test('because of the network, no line is lost or repeated', async () => {
    const cid = await stage.run(counting)
    const stream = await stage.stream(cid, { tail: 'all' })
    await more(stream)
    await host.cut()
    onTestFinished(() => host.plug())
    const { length } = linesOf(stream)
    await until(() => expect(slipway.lines.join('\n')).toContain('Disconnected from a server'))
    // Without the cut, the container would have printed several hundred lines until then.
    expect(linesOf(stream).length).toBeLessThan(length + 200)
    await host.plug()
    await more(stream, 200)
    expect(endOf(stream)).toBeUndefined()
    expect(textsOf(stream)).toContain('1')
    expectCounted(textsOf(stream))
  })

  test('because the server is deleted, the stream ends', async () => {
    const { workspace, viewer } = stage.team
    const own = await makeServer(slipway.ctx, workspace, host)
    const cid = await stage.run('echo up; exec sleep 1000')
    const url = stage.urlOf(cid).replace(stage.server, own)
    const stream = await logs.openLog(url, viewer.token)
    await untilSaid(stream, 'up')
    await slipway.db.deleteFrom('servers').where('id', '=', own).execute()
    slipway.ctx.hosts.disconnect(own)
    await stream.untilEnded()
    expect(endOf(stream)).toBe('This server was not found.')
  })
})
