import { expect, test, vi } from 'vitest'
import { startHaproxy } from '../../../test/support/programs/haproxy.ts'
import { parseTraffic, probeHeader, showTraffic } from './traffic-counters.ts'

const patient = { interval: 20 }
const probeKey = '0123456789abcdef'.repeat(4)
const seen: unknown[] = []
const open: (() => void)[] = []
const { admin, visit } = await startHaproxy(
  (request, reply) => {
    seen.push(request.headers[probeHeader])
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://shop.test')
    const answer = () =>
      void reply
        .writeHead(Number(searchParams.get('status') ?? 200))
        .end(pathname === '/large' ? 'x'.repeat(100_000) : '')
    if (pathname === '/hold') open.push(answer)
    else setTimeout(answer, Number(searchParams.get('ms') ?? 0))
  },
  { probeKey },
)

const read = async () => parseTraffic(await admin(showTraffic)).get('app_shop')

/** Returns the increase of the counters of the application. HAProxy adds bytes when a request ends. */
async function gained(work: () => Promise<unknown>, responses: number) {
  const before = await settled()
  await work()
  const after = await vi.waitFor(async () => {
    const now = await settled()
    expect(now.responses - before.responses).toBe(responses)
    return now
  }, patient)
  return {
    ...after,
    status2xx: after.status2xx - before.status2xx,
    status4xx: after.status4xx - before.status4xx,
    status5xx: after.status5xx - before.status5xx,
    responseTime: after.responseTime - before.responseTime,
    bytesIn: after.bytesIn - before.bytesIn,
    bytesOut: after.bytesOut - before.bytesOut,
  }
}

const settled = () =>
  vi.waitFor(async () => {
    const now = await read()
    if (!now || now.sessions > 0) throw new Error('Requests are open.')
    return now
  }, patient)

test('counts requests with their statuses, bytes and response times', async () => {
  const { status2xx, status4xx, responseTime, ...of } = await gained(async () => {
    // A timer may end a millisecond early.
    await visit({ path: '/?ms=302' })
    await visit({ path: '/large?status=404' })
  }, 2)
  expect({ status2xx, status4xx }).toEqual({ status2xx: 1, status4xx: 1 })
  expect(responseTime).toBeGreaterThanOrEqual(300)
  expect(of.bytesIn).toBeGreaterThan(50)
  expect(of.bytesOut).toBeGreaterThan(100_000)
})

test("does not count Slipway's own requests, and does not pass their secret on", async () => {
  seen.length = 0
  const of = await gained(() => visit({ path: '/large?ms=200', headers: { [probeHeader]: probeKey } }), 0)
  expect(of).toMatchObject({ status2xx: 0, responseTime: 0, bytesIn: 0, bytesOut: 0 })
  for (const guess of ['', '1', probeKey.slice(1), `${probeKey}0`])
    expect(await gained(() => visit({ headers: { [probeHeader]: guess } }), 1)).toMatchObject({
      status2xx: 1,
    })
  expect(seen).toEqual(Array.from({ length: 5 }))
})

test('counts responses that the proxy generates, but none of unknown domains', async () => {
  await admin('disable server app_shop/s1')
  try {
    expect(await gained(() => visit(), 1)).toMatchObject({ status5xx: 1, status2xx: 0 })
    expect(await gained(() => visit({ headers: { [probeHeader]: probeKey } }), 0)).toMatchObject({
      status5xx: 0,
    })
  } finally {
    await admin('enable server app_shop/s1')
  }
  expect(await visit({ headers: { host: 'other.test' } })).toMatchObject({ status: 404 })
  expect([...parseTraffic(await admin(showTraffic)).keys()]).toEqual(['app_shop'])
})

test('counts open requests', async () => {
  const held = visit({ path: '/hold' })
  await vi.waitFor(async () => expect(await read()).toMatchObject({ sessions: 1 }), patient)
  await vi.waitFor(() => expect(open).toHaveLength(1), patient)
  open[0]?.()
  await held
  await settled()
})

test('adds up the times of many requests at once', async () => {
  const times = [1, 20, 40, 80, 160, 320]
  const before = await settled()
  const { responseTime, slower } = await gained(
    () => Promise.all(times.flatMap((ms) => [ms, ms, ms]).map((ms) => visit({ path: `/?ms=${ms}` }))),
    3 * times.length,
  )
  const least = 3 * times.reduce((sum, ms) => sum + ms, 0)
  expect(responseTime).toBeGreaterThanOrEqual(least - 3 * times.length)
  const gainedAbove = (index: number) => (slower?.[index] ?? 0) - (before.slower?.[index] ?? 0)
  expect(gainedAbove(0)).toBe(3 * times.length)
  // The responses after 160 and 320 ms took at least 100 ms.
  expect(gainedAbove(5)).toBeGreaterThanOrEqual(6)
})

test('reads nothing where the proxy has no such table yet', () => {
  expect(parseTraffic('Unknown table.')).toEqual(new Map())
})
