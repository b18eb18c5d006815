import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CommandStage, openCommandStage } from '../../../test/support/stages/commands.ts'
import { runContainer } from '../../../test/support/stages/containers.ts'
import { startSlipway, type TestSlipway } from '../../../test/support/stages/context.ts'
import { takeHost } from '../../../test/support/stages/take-host.ts'
import { seenMeanwhile } from '../../../test/support/programs/watch-arguments.ts'

const host = await takeHost()
let slipway: TestSlipway
let stage: CommandStage
beforeAll(async () => {
  slipway = await startSlipway()
  stage = await openCommandStage(slipway, host)
})
afterAll(() => slipway.close())

test('hides commands from other users in the process list', async () => {
  const cid = await runContainer(host, { options: ['--name', 'secretive'] })
  const text =
    ': secret-canary; read line; n=0; while [ $n -lt 3 ]; do n=$((n + 1)); sleep 0.5; done; echo done'
  const seen = await seenMeanwhile(host, ['docker --host', 'secret-canary'], async () => {
    const [onServer, inContainer] = await Promise.all([stage.run(text), stage.runIn(cid, text)])
    expect(onServer.command).toMatchObject({ exit_code: 0, output: 'done\n' })
    expect(inContainer.command).toMatchObject({ exit_code: 0, output: 'done\n' })
  })
  expect(seen).toEqual(['docker --host'])
})
