import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { type CommandStage, openCommandStage, processesWith } from '../../../test/support/stages/commands.ts'
import { runContainer } from '../../../test/support/stages/containers.ts'
import { startSlipway, type TestSlipway } from '../../../test/support/stages/context.ts'
import { takeHost } from '../../../test/support/stages/take-host.ts'
import { longTest } from '../../../test/support/run/campaign.ts'

const host = await takeHost()
let slipway: TestSlipway
let stage: CommandStage
beforeAll(async () => {
  slipway = await startSlipway()
  stage = await openCommandStage(slipway, host)
})
afterAll(() => slipway.close())

const patient = { interval: 100 }

test('loses no output of a container command when the network fails', async () => {
  const cid = await runContainer(host)
  const counting =
    'n=0; while [ $n -lt 60 ]; do n=$((n + 1)); echo $n; sleep 0.1; done; echo late >&2; exit 7'
  const id = await stage.beginIn(cid, counting)
  await stage.says(id, /\n5\n/)
  await host.cut()
  onTestFinished(() => host.plug())
  await vi.waitFor(async () => expect(await processesWith(host, 'while [ $n -lt 60 ]')).toBe(0), patient)
  await host.plug()
  expect(await stage.ended(id)).toMatchObject({
    status: 'completed',
    exit_code: 7,
    output: `${Array.from({ length: 60 }, (_, n) => `${n + 1}\n`).join('')}--- stderr ---\nlate\n`,
  })
})

longTest('ends a command that was canceled while the server was unreachable', async () => {
  const cid = await runContainer(host)
  const id = await stage.beginIn(cid, 'echo begun; sleep 34343')
  await stage.says(id, 'begun\n')
  await host.cut()
  onTestFinished(() => host.plug())
  expect(await stage.cancel(id)).toMatchObject({ status: 'running' })
  await host.plug()
  expect(await stage.ended(id)).toMatchObject({ status: 'cancelled', output: 'begun\n' })
  await vi.waitFor(async () => expect(await processesWith(host, 'sleep 34343')).toBe(0), patient)
})

test('does not wait for background processes, which continue', async () => {
  const cid = await runContainer(host)
  const { output, command } = await stage.runIn(cid, 'sleep 45454 >/dev/null 2>&1 & echo left')
  expect([output.output.stdout, command.status]).toEqual(['left\n', 'completed'])
  await vi.waitFor(async () => expect(await processesWith(host, 'sleep 45454')).toBe(1), patient)
})

test('reports a missing docker program', async () => {
  const cid = await runContainer(host)
  const rename = (from: string, to: string) =>
    host.exec(
      'sh',
      '-c',
      `for folder in /usr/local/bin /usr/bin; do
      [ ! -e "$folder/$1" ] || mv "$folder/$1" "$folder/$2"
    done`,
      'sh',
      from,
      to,
    )
  await rename('docker', 'docker.away')
  try {
    expect((await stage.runIn(cid, 'true')).command).toMatchObject({
      status: 'failed',
      exit_code: null,
      error: expect.stringMatching(/^The docker CLI is not installed on .* install the CLI\.$/),
    })
  } finally {
    await rename('docker.away', 'docker')
  }
})

longTest('ends a command with a sentence when Docker restarts', async () => {
  const cid = await runContainer(host)
  const id = await stage.beginIn(cid, 'echo begun; sleep 1000')
  await stage.says(id, 'begun\n')
  await host.killDockerd()
  const { status, error, output } = await stage.ended(id)
  expect([status, error]).toEqual([
    'lost',
    expect.stringMatching(/(stopped|became unreachable) while the command was running/),
  ])
  expect(output).toContain('begun\n')
  await host.untilDockerAnswers()
})
