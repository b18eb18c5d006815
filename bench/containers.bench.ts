import { beforeAll, expect, test } from 'vitest'
import { openContainerStage } from '../test/support/stages/container-stage.ts'
import { loadBusybox } from '../test/support/stages/containers.ts'
import { startSlipway } from '../test/support/stages/context.ts'
import { takeHost } from '../test/support/stages/take-host.ts'
import { median, report } from './results.ts'

const CONTAINERS = 200
const RUNNING = 20

const host = await takeHost()

/** Creates all at once: one process per container would take minutes. */
const make = `
for n in $(seq 1 ${CONTAINERS}); do
  docker create --name "box-$n" --label com.docker.compose.project=shop --publish 80 rig/busybox >/dev/null
done
for n in $(seq 1 ${RUNNING}); do docker start "box-$n" >/dev/null; done`

beforeAll(async () => {
  await loadBusybox(host)
  await host.exec('sh', '-c', make)
}, 300_000)

test(`lists ${CONTAINERS} containers through the API`, async () => {
  const slipway = await startSlipway()
  try {
    const stage = await openContainerStage(slipway, host)
    slipway.work()
    await stage.untilLive()
    const url = `${await slipway.listen()}/v1/servers/${stage.server}/containers?limit=${CONTAINERS}`
    const times: number[] = []
    for (let n = 0; n < 120; n++) {
      const began = performance.now()
      const answer = await fetch(url, { headers: { authorization: `Bearer ${stage.token}` } })
      const { containers }: { containers: unknown[] } = JSON.parse(await answer.text())
      // The first requests are a warm-up.
      if (n >= 20) times.push(performance.now() - began)
      expect(containers).toHaveLength(CONTAINERS)
    }
    expect(await stage.isLive()).toBe(true)
    const took = median(times)
    report({
      what: `container list of ${CONTAINERS} containers at the API, median`,
      bar: '≤ 30 ms',
      measured: `${took.toFixed(1)} ms (worst of 100: ${Math.max(...times).toFixed(1)} ms)`,
      met: took <= 30,
    })
  } finally {
    await slipway.close()
  }
})
