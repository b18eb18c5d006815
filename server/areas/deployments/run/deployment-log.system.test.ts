import { afterAll, expect, test } from 'vitest'
import { startSlipway } from '../../../../test/support/stages/context.ts'
import { startDeployer, startShops } from '../../../../test/support/stages/deployments.ts'
import { makeDeployment } from '../../../../test/support/factories/application-factories.ts'
import { makeServer, makeTeam } from '../../../../test/support/factories/factories.ts'
import { loadApp } from '../../../../test/support/rig/load-app.ts'
import { takeHost } from '../../../../test/support/stages/take-host.ts'
import { transaction } from '../../../platform/transaction.ts'
import { openDeploymentLog } from './deployment-log.ts'
import { listOutputs, LogTrimmer } from '../../outputs/output.ts'
import { findDeployment } from './deployment.ts'
import { longTest } from '../../../../test/support/run/campaign.ts'

const host = await takeHost()
await loadApp(host, '1')
const slipway = await startSlipway()
afterAll(() => slipway.close())
const { ctx, db } = slipway
const { workspace, member } = await makeTeam(db)
const server = await makeServer(ctx, workspace, host)
const { request, ended, look } = startDeployer(slipway, member.token)
const { makeShop, setEnv } = startShops(slipway, { workspace, server, host })

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)
const numbersIn = (lines: string[]) =>
  lines.flatMap((line) => /^line (\d+)/.exec(line)?.[1] ?? []).map(Number)

test('keeps the first and the last megabyte of a long log', () => {
  const ends = new LogTrimmer()
  const all = range(1, 400).map((seq) => ({ seq, bytes: 10_000, lines: 100 }))
  const gone = new Set(all.flatMap((row) => ends.add(row)).map(({ seq }) => seq))
  const kept = all.map(({ seq }) => seq).filter((seq) => !gone.has(seq))
  expect(kept).toEqual([...range(1, 105), ...range(296, 400)])
  // The worker that takes over continues the same log.
  const again = new LogTrimmer(all.filter(({ seq }) => !gone.has(seq)))
  expect(again.add({ seq: 401, bytes: 10_000, lines: 100 }).map(({ seq }) => seq)).toEqual([296])
})

longTest('keeps or counts a hundred thousand long lines, also across a takeover', async () => {
  const shop = await makeShop()
  const id = await makeDeployment(db, workspace, { id: shop, server }, { status: 'running' })
  const open = async () => {
    const row = await findDeployment(db, workspace, id)
    if (!row) throw new Error('It is gone.')
    return openDeploymentLog(ctx, row, (work) => transaction(db, work))
  }
  for (const [from, to] of [
    [1, 60_000],
    [60_001, 100_000],
  ] as const) {
    const log = await open()
    for (const number of range(from, to)) {
      log.write(`line ${number} ${'.'.repeat(90)}`)
      await log.waitForCapacity()
    }
    await log.flush()
  }
  const { data } = await look(id)
  const numbers = numbersIn(data.logs)
  expect(data.dropped_lines).toBeGreaterThan(50_000)
  expect(numbers.length + data.dropped_lines).toBe(100_000)
  const gap = numbers.findIndex((number, index) => number !== index + 1)
  expect(numbers).toEqual([...range(1, gap), ...range(gap + 1 + data.dropped_lines, 100_000)])
})

test('logs all container output until it is healthy', async () => {
  slipway.work()
  const shop = await makeShop()
  await setEnv(shop, { LOG_LINES: '50000' })
  const done = await ended((await request(shop)).id, 100_000)
  expect(done).toMatchObject({ status: 'completed', data: { dropped_lines: 0 } })
  expect(numbersIn(done.data.logs)).toEqual(range(1, 50_000))
  const printed = await listOutputs(ctx, db, workspace, done.id)
  const originOf = (line: string) => printed.find(({ text }) => text.includes(line))?.origin
  expect([originOf('line 1\n'), originOf('Deployment completed')]).toEqual(['container', 'slipway'])
})
