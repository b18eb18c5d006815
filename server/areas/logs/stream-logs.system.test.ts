import { beforeAll, describe, expect, test } from 'vitest'
import { downloadLogs, streamLogs } from '../../../contract/logs.ts'
import { createStreamTicket } from '../../../contract/live.ts'
import { runContainer, sharedContainer } from '../../../test/support/stages/containers.ts'
import { makeTeam } from '../../../test/support/factories/factories.ts'
import {
  eventsOf,
  linesOf,
  numbers,
  startLogStage,
  textsOf,
  untilLast,
} from '../../../test/support/stages/logs.ts'
import { longTest } from '../../../test/support/run/campaign.ts'

const stage = await startLogStage()
const { host, slipway } = stage

/** Starts a container that prints this, then a marker, and keeps running. */
async function startPrinting(script: string, options: string[] = []) {
  const cid = await runContainer(host, { options, script: `${script}; echo over; exec sleep 1000` })
  await untilLast(host, cid, 'over')
  return cid
}

describe('the history', () => {
  let cid: string
  beforeAll(async () => {
    cid = await startPrinting('seq 1 1500; echo bad >&2; sleep 0.2; echo; echo "  good"')
  })

  test('contains each line of both streams once, and an end', async () => {
    const stream = await stage.read(cid, { tail: 'all' })
    expect(eventsOf(stream).at(0)).toEqual({ type: 'connected' })
    expect(eventsOf(stream).at(-1)).toEqual({ type: 'end', reason: 'End of the log so far.' })
    expect(linesOf(stream)).toContainEqual({ stream: 'stderr', text: 'bad' })
    const out = linesOf(stream).filter(({ stream: of }) => of === 'stdout')
    expect(out.map(({ text }) => text)).toEqual([...numbers(1, 1500), '', '  good', 'over'])
  })

  test('is limited to a thousand lines by default', async () => {
    const texts = textsOf(await stage.read(cid))
    expect([texts.length, texts.at(-1)]).toEqual([1000, 'over'])
  })

  test.each([
    ['0', 0],
    ['1', 1],
    ['3', 3],
    ['1503', 1503],
    ['1504', 1504],
    ['9999999', 1504],
    ['all', 1504],
  ])('with a tail of %s has %i lines', async (tail, count) => {
    const texts = textsOf(await stage.read(cid, { tail }))
    expect(texts).toHaveLength(count)
    expect(texts.slice(-3)).toEqual(['', '  good', 'over'].slice(3 - Math.min(count, 3)))
  })

  test('respects the time range to the nanosecond', async () => {
    const all = linesOf(await stage.read(cid, { tail: 'all', timestamps: 'true' }))
    const at = all.map((line) => line.at ?? '')
    expect(at.every((time) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/.test(time))).toBe(true)
    const range = { since: at[700] ?? '', until: at[705] ?? '' }
    const expected = all.filter((line) => (line.at ?? '') >= range.since && (line.at ?? '') <= range.until)
    expect(linesOf(await stage.read(cid, { ...range, timestamps: 'true' }))).toEqual(expected)
    expect(linesOf(await stage.read(cid, { ...range, tail: '2', timestamps: 'true' }))).toEqual(
      expected.slice(-2),
    )
    const since = String(Date.parse(at.at(-1) ?? '') / 1_000)
    expect(textsOf(await stage.read(cid, { since })).at(-1)).toBe('over')
    expect(textsOf(await stage.read(cid, { since: at[0] ?? '' }))).toHaveLength(1504)
    const end = eventsOf(await stage.read(cid, { until: at[3] ?? '', follow: 'true' }))
    expect(end.at(-1)).toEqual({ type: 'end', reason: 'End of the selected time range.' })
  })

  test('can be downloaded', async () => {
    const sent = { token: stage.token, params: { id: stage.server, cid } }
    const got = await slipway.call(downloadLogs.key, { ...sent, query: { tail: '3' } })
    expect(got.status).toBe(200)
    expect(got.headers['content-type']).toBe('text/plain; charset=utf-8')
    const name = (await host.exec('docker', 'inspect', '--format', '{{.Name}}', cid)).trim().slice(1)
    expect(got.headers['content-disposition']).toMatch(
      new RegExp(`^attachment; filename="${name}-\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\dZ\\.log"$`),
    )
    expect(got.text).toBe('\n  good\nover\n')
    const whole = await slipway.call(downloadLogs.key, { ...sent, query: { timestamps: 'true' } })
    expect(whole.text.split('\n')).toHaveLength(1505)
    expect(whole.text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z /)
  })
})

describe('a line', () => {
  test('may have a megabyte, or three split in three', async () => {
    const line = (bytes: number) => `head -c ${bytes} /dev/zero | tr '\\0' m; echo`
    const cid = await startPrinting(`${line(1_048_576)}; ${line(3_145_728)}; echo between; ${line(100_000)}`)
    const lengths = (texts: string[]) => texts.map((text) => text.length)
    const mega = 1_048_576
    expect(lengths(textsOf(await stage.read(cid, { tail: 'all' })))).toEqual([
      mega,
      mega,
      mega,
      mega,
      7,
      100_000,
      4,
    ])
    expect(lengths(textsOf(await stage.read(cid, { tail: '2' })))).toEqual([100_000, 4])
    expect(lengths(textsOf(await stage.read(cid, { tail: '3' })))).toEqual([7, 100_000, 4])
  })

  test('may contain binary data, colors and control characters', async () => {
    const cid = await startPrinting(
      "printf '\\033[31mred\\033[0m\\n\\377\\376\\001\\000x\\n'; printf 'a\\rb\\r\\n'; printf '⛵\\t\"\\\\\\n'",
    )
    expect(textsOf(await stage.read(cid))).toEqual([
      '\u{1b}[31mred\u{1b}[0m',
      '\u{fffd}\u{fffd}\u{1}\0x',
      'a\rb\r',
      '⛵\t"\\',
      'over',
    ])
  })

  test('may come from a TTY', async () => {
    const cid = await startPrinting("echo one; echo two >&2; head -c 40000 /dev/zero | tr '\\0' t; echo", [
      '--tty',
    ])
    const lines = linesOf(await stage.read(cid))
    expect(lines.map(({ text }) => text)).toEqual(['one', 'two', 't'.repeat(40_000), 'over'])
    expect(new Set(lines.map(({ stream }) => stream))).toEqual(new Set(['stdout']))
  })

  longTest('may be one of a hundred thousand', async () => {
    const cid = await startPrinting('seq 1 100000')
    const texts = textsOf(await stage.read(cid, { tail: 'all' }))
    expect(texts).toHaveLength(100_001)
    expect(texts.slice(0, -1)).toEqual(numbers(1, 100_000))
    expect(textsOf(await stage.read(cid, { tail: '100000' }))).toEqual([...numbers(2, 100_000), 'over'])
  })
})

describe('access', () => {
  test('is granted to a viewer by header, token or ticket', async () => {
    const cid = await sharedContainer(host)
    const { ticket } = await slipway.ok(createStreamTicket, { token: stage.token })
    for (const token of [stage.token, ticket]) {
      const stream = await fetch(stage.urlOf(cid, { token, follow: 'false' }))
      expect(await stream.text()).toContain('"text":"hello"')
    }
    const { ticket: another } = await slipway.ok(createStreamTicket, { token: stage.token })
    const file = await fetch(stage.urlOf(cid, { token: another }, '/download'))
    expect(await file.text()).toBe('hello\n')
    for (const token of [ticket, another, 'slp_wrong', ''])
      for (const below of ['', '/download'])
        expect((await fetch(stage.urlOf(cid, { token }, below))).status).toBe(401)
  })

  test('is refused for other workspaces and missing containers', async () => {
    const cid = await sharedContainer(host)
    const { token } = (await makeTeam(slipway.db)).owner
    for (const endpoint of [streamLogs, downloadLogs]) {
      const named = (of: string) => ({ params: { id: stage.server, cid: of } })
      await slipway.refused(endpoint, { token, ...named(cid) }, 404)
      await slipway.refused(endpoint, { token: stage.token, ...named('none') }, 404)
      await slipway.refused(endpoint, { token: stage.token, ...named('../json') }, 404)
    }
  })
})

test.each([
  { since: 'yesterday' },
  { until: '2030-13-45T12:00:00Z' },
  { since: '999999999999' },
  { since: '-1' },
  { tail: '-1' },
  { tail: 'some' },
  { since: '20', until: '10' },
])('refuses %j', async (query) => {
  const sent = { token: stage.token, params: { id: stage.server, cid: await sharedContainer(host) }, query }
  for (const endpoint of [streamLogs, downloadLogs]) await slipway.refused(endpoint, sent, 422)
})

test('reports a log driver that keeps no log', async () => {
  const cid = await runContainer(host, { options: ['--log-driver', 'none'] })
  for (const endpoint of [streamLogs, downloadLogs]) {
    const got = await slipway.call(endpoint.key, { token: stage.token, params: { id: stage.server, cid } })
    expect(got).toMatchObject({
      status: 409,
      body: {
        code: 'log_unreadable',
        error:
          'Docker cannot read the log of this container: configured logging driver does not support reading.',
      },
    })
  }
})
