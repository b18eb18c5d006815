import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getDeployment } from '../contract/deployments.ts'
import { loadBusybox } from '../test/support/stages/containers.ts'
import { takeSetUpHost } from '../test/support/stages/setups.ts'
import { memory, resident } from './process.ts'
import { report } from './results.ts'
import { openShops, type Shops } from './shops.ts'

const LINES = 100_000
const WARM = 1_000

const host = await takeSetUpHost()
await loadBusybox(host)
let shops: Shops
beforeAll(async () => {
  shops = await openShops(4963, host)
})
afterAll(() => shops.close())

/** Prints this many lines before it is healthy. */
const makeTalker = (lines: number, letters: number) =>
  shops.makeShop(0, {
    source: { type: 'docker_image', image: 'rig/busybox:latest' },
    command: ['sh', '-c', `seq 1 ${lines} | sed "s/$/ ${'x'.repeat(letters)}/"; exec httpd -f -p 8080`],
    port: 8080,
    health: { type: 'tcp', within_seconds: 120 },
    stop_grace_seconds: 1,
  })

for (const [letters, what] of [
  [4, 'short enough to be kept'],
  [80, 'too many to be kept'],
] as const)
  test(`stores ${LINES} log lines in one deployment, ${what}`, async () => {
    const warm = await makeTalker(WARM, letters)
    const { id: first } = await shops.deploy(warm.id)
    await shops.untilDone(first)
    // Lines of Slipway itself.
    const own = (await shops.ok(getDeployment, { id: first })).deployment.data.logs.length - WARM
    const shop = await makeTalker(LINES, letters)
    const before = await memory(shops.pid)
    const began = performance.now()
    const { id } = await shops.deploy(shop.id)
    const streamed = readStream(id)
    let isOver = false
    const watched = watch(id, () => isOver)
    await shops.untilDone(id)
    const seconds = (performance.now() - began) / 1_000
    isOver = true
    const { peak, slowest } = await watched
    const growth = (await memory(shops.pid)) - before
    const asked = performance.now()
    const { data } = (await shops.ok(getDeployment, { id })).deployment
    const whole = performance.now() - asked
    const kept = data.logs.length - own
    // Lines are in order and unique.
    expect(await streamed).toEqual({ lines: LINES, last: LINES })
    report({
      what: `${LINES.toLocaleString('en')} log lines in one deployment, ${what}: kept or counted as cut, memory`,
      bar: `all, ≤ +50 MB`,
      measured: `${kept} + ${data.dropped_lines}, +${growth.toFixed(0)} MB (+${(peak - before).toFixed(0)} MB with garbage; ${seconds.toFixed(1)} s; GET meanwhile at most ${slowest.toFixed(0)} ms, with the log ${whole.toFixed(0)} ms)`,
      met: kept + data.dropped_lines === LINES && growth <= 50,
    })
  })

/** Simulates a console that follows the log. */
async function watch(id: string, isOver: () => boolean) {
  let [peak, slowest] = [0, 0]
  while (!isOver()) {
    const began = performance.now()
    await shops.look(id)
    slowest = Math.max(slowest, performance.now() - began)
    peak = Math.max(peak, resident(shops.pid))
    await sleep(100)
  }
  return { peak, slowest }
}

/** Number of streamed lines, and the number of the last one. */
async function readStream(id: string) {
  const { body } = await shops.ask(`/v1/deployments/${id}/logs`)
  if (!body) throw new Error('There is no stream.')
  let [lines, last, text] = [0, 0, '']
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    text += piece
    const end = text.lastIndexOf('\n\n') + 1
    const numbers = [...text.slice(0, end).matchAll(/(\d+) x+\\n/g)].map(([, number]) => Number(number))
    lines += numbers.length
    last = numbers.at(-1) ?? last
    if (text.slice(0, end).includes('"type":"end"')) break
    text = text.slice(end)
  }
  return { lines, last }
}
