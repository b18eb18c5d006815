import { describe, expect, onTestFinished, test } from 'vitest'
import * as logs from '../../../test/support/stages/logs.ts'
import { joinLogHub } from './log-hubs.ts'
import type { LogSource } from './log-source.ts'
import { LogViewer } from './log-viewer.ts'
import { longTest } from '../../../test/support/run/campaign.ts'

const { endOf, numbers, textsOf, until, untilSaid, waiting } = logs
const stage = await logs.startLogStage()
const { host, slipway } = stage

/** Prints the second of its lines on stdout when `/go` exists, and the third when `/on` does. */
const steps = (first: string, second: string, third: string) =>
  `${first}; until [ -e /go ]; do sleep 0.05; done; ${second}; until [ -e /on ]; do sleep 0.05; done; ${third}; exec sleep 1000`

const goOn = (cid: string) => host.exec('docker', 'exec', cid, 'touch', '/on')

/**
 * Creates a container whose last line is an hour ahead of the next one. The line is added while the container is
 * stopped, because newer versions of Docker read only lines that were in the file at the start, and lines that they
 * wrote themselves.
 */
async function startAhead(): Promise<string> {
  const cid = await stage.run(
    `[ -e /ten ] || { touch /ten; seq 1 10; exit; }; ${steps(':', 'echo set back', 'echo and on')}`,
  )
  await host.exec('docker', 'wait', cid)
  const path = (await host.exec('docker', 'inspect', '--format', '{{.LogPath}}', cid)).trim()
  const line = JSON.stringify({ log: 'ahead\n', stream: 'stdout', time: inSeconds(3_600) })
  await host.exec('sh', '-c', 'printf "%s\n" "$1" >>"$0"', path, line)
  await host.exec('docker', 'start', cid)
  return cid
}

const inSeconds = (seconds: number) =>
  new Date(Date.now() + seconds * 1_000).toISOString().replace('Z', '000001Z')

/** Returns the position after the last line. */
async function endOfLog(cid: string): Promise<string> {
  return (await stage.read(cid, { tail: '0' })).heard.at(-1)?.id ?? ''
}

const after = (id: string) => ({ 'last-event-id': id })

describe('resuming from a position', () => {
  test('returns lines after the clock was set back', async () => {
    const cid = await startAhead()
    const place = await endOfLog(cid)
    await stage.go(cid)
    await logs.untilLast(host, cid, 'set back')
    expect(textsOf(await stage.read(cid, {}, after(place)))).toEqual(['set back'])
    const stream = await stage.stream(cid, {}, after(place))
    await untilSaid(stream, 'set back')
    await goOn(cid)
    await untilSaid(stream, 'and on')
    expect(textsOf(stream)).toEqual(['set back', 'and on'])
  })

  longTest('returns lines after the server was unreachable', async () => {
    const cid = await startAhead()
    const stream = await stage.stream(cid, { tail: '1' })
    await untilSaid(stream, 'ahead')
    await host.cut()
    onTestFinished(() => host.plug())
    await stage.go(cid)
    await until(() => expect(slipway.lines.join('\n')).toContain('Disconnected from a server'))
    await host.plug()
    await untilSaid(stream, 'set back')
    await goOn(cid)
    await untilSaid(stream, 'and on')
    expect(textsOf(stream)).toEqual(['ahead', 'set back', 'and on'])
  })

  test('returns a long line that started earlier', async () => {
    const begin = 'head -c 16384 /dev/zero | tr "\\0" x >&2'
    const cid = await stage.run(steps(begin, 'echo between', 'echo end >&2'))
    const all = () => host.exec('sh', '-c', 'docker logs "$0" 2>&1', cid)
    await until(async () => expect(await all()).toHaveLength(16_384))
    await stage.go(cid)
    await logs.untilLast(host, cid, 'between')
    const place = await endOfLog(cid)
    await goOn(cid)
    await until(async () => expect(await all()).toMatch(/end\n$/))
    expect(textsOf(await stage.read(cid, {}, after(place)))).toEqual([`${'x'.repeat(16_384)}end`])
  })

  test.each([
    ['which has said something', 'echo old; '],
    ['which has said nothing', ''],
  ])('in the future returns new lines of a container %s', async (_, before) => {
    const cid = await stage.run(before + waiting('seq 1 3'))
    if (before) await logs.untilLast(host, cid, 'old')
    const stream = await stage.stream(cid, {}, after('2999-01-31T12:00:00.123456789Z.0'))
    await stream.event('connected')
    await stage.go(cid)
    await untilSaid(stream, '3')
    expect(textsOf(stream)).toEqual(numbers(1, 3))
  })
})

test.each(['0', '10'])(
  'returns all lines of a container that was silent, with a tail of %s',
  async (tail) => {
    const cid = await stage.run(waiting('seq 1 500'))
    const stream = await stage.stream(cid, { tail })
    await stream.event('connected')
    await stage.go(cid)
    await untilSaid(stream, '500')
    expect(textsOf(stream)).toEqual(numbers(1, 500))
  },
)

test.each([
  ['another line', waiting('echo late'), false],
  ['the end', 'until [ -e /go ]; do sleep 0.05; done; echo late', true],
])('returns %s immediately after a slow history', async (_, script, ends) => {
  const cid = await stage.run(`echo up; ${script}`)
  await logs.untilLast(host, cid, 'up')
  const source: LogSource = {
    ctx: slipway.ctx,
    workspace: stage.team.workspace,
    server: stage.server,
    container: cid,
    tty: false,
    isOver: false,
  }
  const leave = new AbortController()
  onTestFinished(() => leave.abort())
  const { hub, leave: leaveHub } = joinLogHub(source)
  onTestFinished(leaveHub)
  const wanted = { after: undefined, tail: 10, since: undefined, until: undefined, timestamps: false }
  const viewer = new LogViewer(source, wanted, leave.signal)
  for await (const event of viewer.history(true)) expect(event?.data.type).not.toBe('end')
  await stage.go(cid)
  await until(() => expect(hub.ring.from(hub.ring.next - 1)?.text(false)).toBe('late\n'))
  await until(() => expect(hub.over !== undefined).toBe(ends))
  for await (const event of viewer.follow(hub)) {
    if (event?.data.type !== 'lines') continue
    expect(event.data.lines.at(-1)?.text).toBe('late')
    if (hub.over === undefined) break
  }
})

longTest('returns all last lines of a time range', async () => {
  const cid = await stage.run(`${logs.much}; exec sleep 1000`)
  await logs.untilLast(host, cid, 'over')
  const last = await stage.read(cid, { tail: '20000', until: inSeconds(-0.001) })
  expect(endOf(last)).toBe('End of the selected time range.')
  const seen = textsOf(last).map((text) => Number.parseInt(text, 10))
  expect(seen.slice(0, -1)).toEqual(numbers(80_002, 100_000).map(Number))
})
