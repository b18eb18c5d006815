import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'vitest'
import { mostCompose } from '../contract/compose-size.ts'
import { report } from './results.ts'
import { newDataDir, removeDataDir, signIn, startSlipway } from './slipway.ts'

const clients = 10
const seconds = 60

test('ten clients that send the worst accepted bodies do not hold up others', async () => {
  const dataDir = newDataDir()
  // Every request comes from an address of its own, as from many attackers, so that no limit by address helps.
  const slipway = await startSlipway(4940, dataDir, { TRUST_PROXY: 'loopback', SIGNUP: 'open' })
  try {
    const token = await signIn(slipway.url)
    const until = performance.now() + seconds * 1_000
    const statuses = new Map<number, number>()
    const attacks = Array.from({ length: clients }, async (_, client) => {
      for (let count = 0; performance.now() < until; count++) {
        const [path, body] = worst(count, `${client}-${count}`)
        const answer = await fetch(`${slipway.url}${path}`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            authorization: `Bearer ${token}`,
            'x-forwarded-for': `203.0.${(count >> 8) & 255}.${count & 255}`,
          },
          body,
        })
        await answer.text()
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      }
    })
    const took: number[] = []
    while (performance.now() < until) {
      const began = performance.now()
      await (await fetch(`${slipway.url}/v1/health`)).text()
      took.push(performance.now() - began)
      await sleep(20)
    }
    await Promise.all(attacks)
    const sorted = took.toSorted((a, b) => a - b)
    const of = (part: number) => sorted[Math.ceil(sorted.length * part) - 1] ?? Number.NaN
    const sent = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')
    report({
      what: `GET /v1/health under ${clients} clients that send the worst accepted bodies for ${seconds} s: p99`,
      bar: 'p99 ≤ 100 ms',
      measured: `p99 ${of(0.99).toFixed(0)} ms (p50 ${of(0.5).toFixed(0)} ms, worst ${of(1).toFixed(0)} ms; ${sent})`,
      met: of(0.99) <= 100,
    })
  } finally {
    await slipway.stop()
    removeDataDir(dataDir)
  }
})

/** In turn: a compose file of the largest size, one of many services, and as many wrong values as a body may hold. */
function worst(count: number, name: string): [path: string, body: string] {
  const [large, services, wrong] = [
    () => `services:\n  web:\n    image: x\n    command:\n${'    - a\n'.repeat(5_500)}# ${name}\n`,
    () =>
      `services:\n${Array.from({ length: 200 }, (_, at) => `  s${at}: {image: x, environment: {A: $B}}\n`).join('')}# ${name}\n`,
    () => JSON.stringify({ env: Array.from({ length: 4_900 }, () => ({ k: 1 })), compose: 'x' }),
  ]
  const kind = count % 3
  if (kind === 2) return ['/v1/compose/check', wrong()]
  const compose = (kind === 0 ? large() : services()).slice(0, mostCompose)
  return ['/v1/compose/check', JSON.stringify({ compose })]
}
