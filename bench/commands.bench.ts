import { expect, test } from 'vitest'
import { takeHost } from '../test/support/stages/take-host.ts'
import { median, report } from './results.ts'
import { addServer, newDataDir, removeDataDir, logIn, startSlipway } from './slipway.ts'

const host = await takeHost()

test('runs the command true through the API', async () => {
  const dataDir = newDataDir()
  const slipway = await startSlipway(4940, dataDir)
  try {
    const token = await logIn(slipway.url)
    const address = `${slipway.url}/v1/servers/${await addServer(dataDir, host)}/command`
    for (let n = 0; n < 20; n++) await run(address, token)
    const times: number[] = []
    for (let n = 0; n < 200; n++) times.push(await run(address, token))
    const p95 = times.toSorted((a, b) => a - b)[190] ?? Number.NaN
    report({
      what: 'POST command with `true`, at the API, median of 200',
      bar: '≤ 25 ms',
      measured: `${median(times).toFixed(1)} ms (p95 ${p95.toFixed(1)} ms)`,
      met: median(times) <= 25,
    })
  } finally {
    await slipway.stop()
    removeDataDir(dataDir)
  }
})

async function run(address: string, token: string): Promise<number> {
  const began = performance.now()
  const answer = await fetch(address, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ command: 'true' }),
  })
  const text = await answer.text()
  const took = performance.now() - began
  expect(text).toContain('"status":"completed","exit_code":0')
  return took
}
