import { describe, expect, onTestFinished, test } from 'vitest'
import { startSlipway } from '../../../test/support/stages/context.ts'
import * as logs from '../../../test/support/stages/logs.ts'
import { longTest } from '../../../test/support/run/campaign.ts'

const { counting, endOf, expectCounted, linesOf, more, much, numbers, textsOf, until, untilSaid, waiting } =
  logs
const stage = await logs.startLogStage()
const { host, slipway } = stage

/** Counts Docker log readers of a container. */
async function upstreams(cid: string): Promise<number> {
  const files = await host.exec('sh', '-c', 'ls -l /proc/$(pidof dockerd)/fd')
  return files.split('\n').filter((line) => line.includes(`${cid}-json.log`)).length - 1
}

test('shares one upstream between viewers and closes it soon after the last', async () => {
  const cid = await stage.run(counting)
  expect(await upstreams(cid)).toBe(0)
  const streams = await Promise.all(Array.from({ length: 12 }, () => stage.stream(cid, { tail: 'all' })))
  for (const stream of streams) await untilSaid(stream, '60')
  await until(async () => expect(await upstreams(cid)).toBe(1))
  for (const stream of streams) {
    expectCounted(textsOf(stream))
    expect(textsOf(stream)).toContain('1')
  }
  const late = await stage.stream(cid, { tail: '0', timestamps: 'true' })
  await more(late)
  expect(textsOf(late)).not.toContain('60')
  expectCounted(textsOf(late))
  expect(linesOf(late).every(({ at }) => at !== undefined)).toBe(true)
  for (const stream of streams) stream.close()
  await more(late)
  late.close()
  await until(async () => expect(await upstreams(cid)).toBe(0))
})

longTest('reports dropped lines to a slow viewer and continues', async () => {
  const cid = await stage.run(`echo 0 ready; ${waiting(much)}`)
  const [slow, quick] = [await stage.stream(cid), await stage.stream(cid)]
  for (const stream of [slow, quick]) await untilSaid(stream, '0 ready')
  slow.pause()
  await stage.go(cid)
  await until(() => expect(textsOf(quick).at(-1)).toBe('over'))
  slow.resume()
  await until(() => expect(textsOf(slow).at(-1)).toBe('over'))
  expect(logs.missedIn(slow)).toBeGreaterThan(0)
  for (const stream of [slow, quick]) {
    expect(linesOf(stream).length + logs.missedIn(stream)).toBe(100_002)
    const seen = textsOf(stream).map((text) => Number.parseInt(text, 10))
    expect(seen.slice(0, -1).every((n, index) => index === 0 || n > (seen[index - 1] ?? 0))).toBe(true)
  }
})

describe('a reconnecting viewer', () => {
  test('continues from the exact line, even in another process', async () => {
    const cid = await stage.run(waiting('seq 1 3000; seq 1 3000 | sed s/^/e/ >&2; echo 3001'))
    const whole = await stage.stream(cid, { tail: 'all' })
    await stage.go(cid)
    await until(() => expect(linesOf(whole)).toHaveLength(6_001))
    const all = textsOf(whole)
    const other = await startSlipway()
    onTestFinished(() => other.close())
    const elsewhere = await logs.openLogStage(other, host)
    let heard = 0
    for (const event of whole.heard) {
      heard += logs.linesIn(event).length
      if (event.id === '' || heard === 6_001) continue
      const rest = await elsewhere.read(cid, { tail: '1' }, { 'last-event-id': event.id })
      expect(textsOf(rest)).toEqual(all.slice(heard))
    }
    expect(heard).toBe(6_001)
  })

  test('misses and repeats nothing in a busy log', async () => {
    const cid = await stage.run(counting)
    const texts: string[] = []
    for (let [round, id] = [0, '']; round < 8; round++) {
      const stream = await stage.stream(cid, { tail: 'all' }, id ? { 'last-event-id': id } : {})
      await more(stream, 5 + 5 * round)
      stream.close()
      texts.push(...textsOf(stream))
      id = stream.heard.findLast((event) => event.id !== '')?.id ?? ''
    }
    expect(texts).toContain('1')
    expectCounted(texts)
  })

  test.each(['x', '0', '2030-99-31T12:00:00.123456789Z.0', '2030-01-31T12:00:00Z', "1' or 1=1"])(
    'starts with the default after %s, which was never sent',
    async (id) => {
      const cid = await logs.sharedNumbers(host)
      expect(textsOf(await stage.read(cid, { tail: '2' }, { 'last-event-id': id }))).toEqual(['9', '10'])
    },
  )

  test('gets the remaining lines when Docker has rotated its line away', async () => {
    const cid = await logs.sharedNumbers(host)
    const after = (id: string) => stage.read(cid, {}, { 'last-event-id': id })
    expect(textsOf(await after('2001-01-31T12:00:00.123456789Z.0'))).toEqual(numbers(1, 10))
    expect(textsOf(await after('2999-01-31T12:00:00.123456789Z.0'))).toEqual([])
  })
})

test('shows the first line of a silent container immediately and once', async () => {
  const cid = await stage.run(waiting('echo first; echo second'))
  const stream = await stage.stream(cid)
  await stream.event('connected')
  await stage.go(cid)
  await untilSaid(stream, 'second')
  await stage.stream(cid).then((another) => untilSaid(another, 'second'))
  expect(textsOf(stream)).toEqual(['first', 'second'])
})

test('stops when the permission is revoked', async () => {
  const [cid, silent] = [await stage.run(counting), await stage.run('echo up; exec sleep 1000')]
  const { admin, owner } = stage.team
  const streams = await Promise.all(
    [cid, silent].map((one) => logs.openLog(stage.urlOf(one, { tail: '1' }), admin.token)),
  )
  await Promise.all(streams.map((stream) => until(() => expect(linesOf(stream).length).toBeGreaterThan(0))))
  await slipway.call('POST /v1/workspaces/members/remove', {
    token: owner.token,
    body: { member_id: admin.member },
  })
  for (const stream of streams) await stream.untilEnded()
  expect(streams.map(endOf)).toEqual([undefined, undefined])
})
