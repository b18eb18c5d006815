import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { test } from 'vitest'
import { report } from './results.ts'
import { newDataDir, removeDataDir, logIn, startSlipway } from './slipway.ts'

const clients = 10
const seconds = 60

test('stays responsive while ten clients send the worst accepted bodies', async () => {
  const dataDir = newDataDir()
  const slipway = await startSlipway(4940, dataDir, { TRUST_PROXY: 'loopback', SIGNUP: 'open' })
  try {
    const token = await logIn(slipway.url)
    const requests = worstRequests(await createProject(slipway.url, token))
    const file = new URL('fixtures/costly-clients.mjs', import.meta.url)
    const attack = new Worker(file, { workerData: { url: slipway.url, token, clients, seconds, requests } })
    const attacked = once(attack, 'message')
    const until = performance.now() + seconds * 1_000
    const took: number[] = []
    while (performance.now() < until) {
      const began = performance.now()
      await (await fetch(`${slipway.url}/v1/health`)).text()
      took.push(performance.now() - began)
      await sleep(20)
    }
    const [statuses] = await attacked
    const sorted = took.toSorted((a, b) => a - b)
    const of = (part: number) => sorted[Math.ceil(sorted.length * part) - 1] ?? Number.NaN
    const sent = Object.entries(Object(statuses)).map(([status, count]) => `${String(count)} × ${status}`)
    report({
      what: `GET /v1/health under ${clients} clients that send the worst accepted bodies for ${seconds} s: p99`,
      bar: 'p99 ≤ 100 ms',
      measured: `p99 ${of(0.99).toFixed(0)} ms (p50 ${of(0.5).toFixed(0)} ms, worst ${of(1).toFixed(0)} ms; ${sent.join(', ')})`,
      met: of(0.99) <= 100,
    })
  } finally {
    await slipway.stop()
    removeDataDir(dataDir)
  }
})

async function createProject(url: string, token: string): Promise<string> {
  const answer = await fetch(`${url}/v1/projects`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ name: 'Bench' }),
  })
  return /prj_\w+/.exec(await answer.text())?.[0] ?? ''
}

/**
 * Alternates compose files of the largest size, of many services, a template, 500 variables, and many invalid values.
 */
function worstRequests(project: string) {
  const times = <T>(count: number, make: (at: number) => T) =>
    Array.from({ length: count }, (_, at) => make(at))
  const env = times(500, (at) => ({ key: `K${at}`, value: `NUMBER${'v'.repeat(900)}` }))
  const large = `services:\n  web:\n    image: x\n    command:\n${'    - a\n'.repeat(5_500)}# NUMBER\n`
  const services = times(200, (at) => `  s${at}: {image: x, environment: {A: $B}}\n`).join('')
  const many = `services:\n${services}# NUMBER\n`
  const template = `name: T\ndescription: T.\ncategory: other\ninputs:\n${times(100, (at) => `  - { name: A${at}, default: x }`).join('\n')}`
  const request = (method: string, path: string, body: object) => ({
    method,
    path,
    body: JSON.stringify(body),
  })
  return [
    request('POST', '/v1/compose/check', { compose: large, env: env.slice(0, 300) }),
    request('POST', '/v1/compose/check', { compose: many }),
    request('POST', '/v1/templates/check', { compose: many, template }),
    request('PUT', `/v1/projects/${project}/env`, { env }),
    request('POST', '/v1/compose/check', { env: times(4_900, () => ({ k: 1 })), compose: 'x' }),
  ]
}
