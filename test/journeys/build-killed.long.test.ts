import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { openBuildStage } from '../support/stages/build-stage.ts'
import { type SlipwayProcess, startOn } from '../support/programs/slipway-process.ts'
import { everyStep, watchSteps } from '../support/stages/watch-steps.ts'

const stage = await openBuildStage()
const { github, slipway, request, ended, look, makeBuilt, left, lines } = stage
const steps = await watchSteps(slipway)

const start = () => startOn(slipway.database, slipway.key, 'all', github.appEnv)

const count = 150
const talking = (name: string) => `FROM rig/busybox
RUN for n in $(seq 1 ${count}); do echo "${name}, line $n of it"; sleep 0.1; done
CMD ["sleep", "3600"]
`
/** Each line once and in order. */
const wanted = Array.from({ length: count }, (_, n) => `line ${n + 1} of it`)
const logLines = ({ data }: { data: { logs: string[] } }) =>
  data.logs.flatMap((line) => /^build: .*(line \d+ of it)$/.exec(line)?.[1] ?? [])
const builds = () => lines('pgrep -of "[s]leep 0.1; done" || true')

test(
  'continues fetch and build after Slipway was killed, without disturbing the build',
  { timeout: 3_600_000 },
  async () => {
    let running: SlipwayProcess = await start()
    const kill = () => running.end('SIGKILL')
    const again = async () => void (running = await start())
    for (let round = 0; round < 10; round++) {
      const { id: shop, repository } = await makeBuilt({ Dockerfile: talking(`round ${round}`) })
      const pack = `/${repository}.git/git-upload-pack`
      // Git waits until GitHub closes the connection, and retries.
      github.fail(pack, 'slow', 1)
      const { id } = await request(shop)
      await vi.waitFor(() => expect(github.asked).toContain(`POST ${pack}`), { timeout: 60_000 })
      expect(await steps.isIn(id, 'fetch')).toBe(true)
      await kill()
      github.letGo()
      await again()
      await vi.waitFor(async () => expect(logLines(await look(id)).length).toBeGreaterThan(5), {
        timeout: 90_000,
        interval: 100,
      })
      const before = await builds()
      expect(before).not.toEqual([])
      await sleep(Math.random() * 1_000)
      await kill()
      expect(await steps.isIn(id, 'build')).toBe(true)
      expect(await builds()).toEqual(before)
      await again()
      const done = await ended(id, 120_000)
      expect(done).toMatchObject({ status: 'completed', errors: [] })
      expect(done.steps.map(({ name }) => name)).toEqual(everyStep)
      expect(logLines(done)).toEqual(wanted)
      expect(await stage.instancesOf(shop)).toMatchObject([{ state: 'serving', deployment_id: id }])
      expect(await stage.containersOf(shop)).toHaveLength(1)
      expect(await left(shop)).toEqual({ work: [], folders: ['git'], tags: ['1'], groups: [] })
    }
    const { id: shop, repository } = await makeBuilt({ Dockerfile: talking('first') })
    for (let nth = 0; nth < 3; nth++)
      for (const step of everyStep) {
        await github.commit(repository, { files: { Dockerfile: talking(`${step} ${nth}`) } })
        const reached = steps.next(shop, step)
        const { id } = await request(shop)
        await reached
        await sleep(Math.random() * (step === 'build' ? 5_000 : 200))
        await kill()
        await again()
        const done = await ended(id, 180_000)
        expect(done).toMatchObject({ status: 'completed', errors: [] })
        expect(logLines(done)).toEqual(wanted)
        expect(await left(shop)).toMatchObject({ work: [], folders: ['git'], groups: [] })
      }
    expect(await running.end('SIGTERM')).toBe(0)
  },
)
