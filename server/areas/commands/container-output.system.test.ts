import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { listAudit } from '../../../contract/audit.ts'
import * as contract from '../../../contract/commands.ts'
import {
  type CommandStage,
  openCommandStage,
  processesWith,
  untilSwept,
  holdOn,
} from '../../../test/support/stages/commands.ts'
import { runContainer } from '../../../test/support/stages/containers.ts'
import { startSlipway, type TestSlipway } from '../../../test/support/stages/context.ts'
import { makeServer, makeTeam } from '../../../test/support/factories/factories.ts'
import { takeHost } from '../../../test/support/stages/take-host.ts'
import { longTest } from '../../../test/support/run/campaign.ts'

const host = await takeHost()
let slipway: TestSlipway
let stage: CommandStage
let cid: string
beforeAll(async () => {
  slipway = await startSlipway()
  stage = await openCommandStage(slipway, host)
  cid = await runContainer(host, { options: ['--name', 'web'] })
})
afterAll(() => slipway.close())

const patient = { interval: 100 }
const docker = (...args: string[]) => host.exec('docker', ...args)
/** Waits until no process, including those in containers, has this in its command line. */
const untilGone = (word: string) =>
  vi.waitFor(async () => expect(await processesWith(host, word)).toBe(0), patient)

describe('a command in a container', () => {
  test('returns both streams separately and belongs to its container', async () => {
    const { output, command } = await stage.runIn('web', 'hostname; echo trouble >&2; exit 3')
    expect(output).toEqual({ output: { stdout: `${cid.slice(0, 12)}\n`, stderr: 'trouble\n' } })
    expect(command).toMatchObject({
      command: 'hostname; echo trouble >&2; exit 3',
      status: 'completed',
      exit_code: 3,
      error: null,
      output: `${cid.slice(0, 12)}\n--- stderr ---\ntrouble\n`,
      container_id: cid,
      container_name: 'web',
    })
    expect(await stage.get(command.id)).toEqual(command)
  })

  test.each([
    ['true', '', '', 0],
    ['false', '', '', 1],
    ['exit 126', '', '', 126],
    ['echo e >&2; exit 255', '', 'e\n', 255],
    ['kill -9 $PPID', '', '', 137],
    ['exit 137', '', '', 137],
    ['kill -9 $$', '', expect.any(String), 137],
    ['cat', '', '', 0],
    ['echo \'$HOME\' "`echo tick`" ⛵ | cat', '$HOME tick ⛵\n', '', 0],
    ['for n in 1 2; do\n  echo line $n\ndone', 'line 1\nline 2\n', '', 0],
    ["printf '\\000\\377'; printf e >&2", '\u{fffd}\u{fffd}', 'e', 0],
    ['echo "No such container"; exit 1', 'No such container\n', '', 1],
  ])('%j returns its output', async (text, stdout, stderr, code) => {
    const { output, command } = await stage.runIn(cid, text)
    expect({ ...output.output, code: command.exit_code, status: command.status }).toEqual({
      stdout,
      stderr,
      code,
      status: 'completed',
    })
  })

  test('returns immediately without waiting', async () => {
    const { wait, release } = holdOn({ exec: (...given) => host.exec('docker', 'exec', cid, ...given) })
    const { output, command } = await stage.runIn(cid, `${wait}; echo done`, { wait: false })
    expect(output).toEqual({ output: { stdout: '', stderr: '' } })
    expect(command).toMatchObject({ status: 'running', container_name: 'web' })
    await release()
    expect(await stage.ended(command.id)).toMatchObject({ status: 'completed', output: 'done\n' })
  })

  test('is truncated and reports it', async () => {
    const { output, command } = await stage.runIn(cid, "head -c 30000000 /dev/zero | tr '\\0' x; exit 4")
    expect(command).toMatchObject({ status: 'completed', exit_code: 4, truncated: true })
    expect(output.output.stdout).toMatch(/^x{1000000,}\n… truncated$/)
  })

  test('leaves nothing on the server and names the container in the audit log', async () => {
    const { command } = await stage.runIn(cid, 'echo s3cr3t-word')
    await untilSwept(host)
    const { entries } = await slipway.ok(listAudit, { token: stage.team.owner.token })
    expect(entries[0]).toMatchObject({
      type: 'command.started',
      target: { kind: 'container', id: cid, name: 'web' },
      detail: expect.stringContaining(command.id),
    })
    expect(JSON.stringify(entries) + slipway.lines.join()).not.toContain('s3cr3t-word')
  })
})

describe('processes started in the container', () => {
  /** Processes that ignore signals, have their own session, lack the marker, or belong to another user. */
  const stubborn = (n: number) =>
    [
      `sh -c 'trap "" TERM HUP INT; while :; do sleep ${n}; done' &`,
      `setsid sleep ${n + 1} &`,
      `env -i sleep ${n + 2} &`,
      `(setsid sh -c 'sleep ${n + 3} & sleep ${n + 3}' &)`,
      `kill -STOP $! ; echo begun; sleep ${n + 4}`,
    ].join('\n')

  test('end when the command is canceled', async () => {
    const id = await stage.beginIn(cid, stubborn(43210))
    await stage.says(id, 'begun\n')
    await vi.waitFor(async () => expect(await processesWith(host, 'sleep 4321')).toBeGreaterThan(4), patient)
    const cancelled = await stage.cancel(id)
    expect(cancelled).toMatchObject({ status: 'cancelled', output: 'begun\n' })
    await untilGone('sleep 4321')
    await untilGone(id)
  })

  test('end on timeout, while other processes continue', async () => {
    const other = await stage.beginIn(cid, 'echo other; sleep 55555', { timeout_seconds: 600 })
    await stage.says(other, 'other\n')
    const { command } = await stage.runIn(cid, stubborn(54320), { timeout_seconds: 5 })
    expect(command).toMatchObject({ status: 'timed_out', output: 'begun\n' })
    await untilGone('sleep 5432')
    expect(await stage.get(other)).toMatchObject({ status: 'running' })
    await stage.cancel(other)
    await untilGone('sleep 55555')
  })

  test.each([
    ['has no rights at all', ['--user', '1000:1000', '--read-only', '--cap-drop', 'ALL']],
    ["sees the server's processes", ['--pid', 'host']],
  ])('also end when run by a user who %s', async (_, options) => {
    const own = await runContainer(host, { options })
    const id = await stage.beginIn(own, 'sleep 76543 & setsid sleep 76544 & echo begun; sleep 76545')
    await stage.says(id, 'begun\n')
    expect(await stage.cancel(id)).toMatchObject({ status: 'cancelled' })
    await untilGone('sleep 7654')
    expect((await stage.run('echo others go on')).output).toBe('others go on\n')
  })

  test('can print before they end', async () => {
    const id = await stage.beginIn(
      cid,
      'trap "echo tidied; exit 0" TERM; echo begun; while :; do sleep 0.1; done',
    )
    await stage.says(id, 'begun\n')
    await stage.cancel(id)
    expect(await stage.ended(id)).toMatchObject({
      status: 'cancelled',
      output: expect.stringMatching(/^begun\ntidied\n/),
    })
  })

  longTest('end after a pause of the container', async () => {
    const own = await runContainer(host)
    const id = await stage.beginIn(own, 'echo begun; sleep 65432')
    await stage.says(id, 'begun\n')
    await docker('pause', own)
    expect(await stage.cancel(id)).toMatchObject({ status: 'cancelled' })
    await docker('unpause', own)
    await untilGone('sleep 65432')
    await untilGone(id)
  })
})

describe('a container in which nothing can run', () => {
  const refused = (id: string, status: number, code?: string) =>
    slipway.refused(
      contract.runContainerCommand,
      { token: stage.token, params: { id: stage.server, cid: id }, body: { command: 'true' } },
      status,
      code,
    )

  test('because it is stopped, paused or missing, is reported', async () => {
    const own = await runContainer(host, { options: ['--name', 'idle'] })
    await docker('pause', own)
    expect((await refused(own, 409, 'container_not_running')).text).toContain('The container idle is paused.')
    await docker('unpause', own)
    await docker('stop', own)
    expect((await refused('idle', 409)).text).toContain('is not running (exit code 0)')
    await docker('rm', own)
    await refused(own, 404)
    for (const strange of ['../web', 'web/json', 'web?x', '%2e%2e', 'wéb', '-x']) await refused(strange, 404)
  })

  test('because it has no shell, fails with a sentence', async () => {
    const bare = await runContainer(host, {
      options: ['--name', 'bare'],
      script: 'rm -rf /bin/sh /bin/ash /usr/bin/sh; sleep 1000000',
    })
    await vi.waitFor(async () => {
      const { command } = await stage.runIn(bare, 'true')
      expect(command).toMatchObject({
        status: 'failed',
        exit_code: null,
        error: 'The container bare has no shell: sh was not found in it.',
      })
    }, patient)
  })

  test('because it is removed or stopped meanwhile, ends the command with a sentence', async () => {
    for (const [how, words] of [
      // Docker stops the container before it removes it.
      [['rm', '--force'], /(was removed|stopped) while the command was running/],
      [['stop', '--time', '1'], /stopped while the command was running/],
    ] as const) {
      const own = await runContainer(host)
      const id = await stage.beginIn(own, 'echo begun; sleep 1000')
      await stage.says(id, 'begun\n')
      await docker(...how, own)
      const { status, error } = await stage.ended(id)
      expect([status, error]).toEqual(['lost', expect.stringMatching(words)])
    }
  })
})

describe('commands of a container', () => {
  test('are found by ID, ID prefix and name, and by ID after its removal', async () => {
    const own = await runContainer(host, { options: ['--name', 'history'] })
    const { command: first } = await stage.runIn(own, 'echo 1')
    const { command: second } = await stage.runIn(own, 'echo 2')
    const listed = async (container_id: string, more: Record<string, unknown> = {}) => {
      const sent = { token: stage.token, params: { id: stage.server }, query: { container_id, ...more } }
      return (await slipway.ok(contract.listCommands, sent)).commands.map(({ id }) => id)
    }
    for (const by of [own, own.slice(0, 12), 'history'])
      expect(await listed(by)).toEqual([second.id, first.id])
    expect(await listed(own, { page: 2, limit: 1 })).toEqual([first.id])
    await docker('rm', '--force', own)
    expect(await listed(own)).toEqual([second.id, first.id])
    expect(await listed('history')).toEqual([second.id, first.id])
    expect(await listed('nothing-of-that-name')).toEqual([])
  })

  test('are isolated from other users', async () => {
    const strangers = await makeTeam(slipway.db)
    const own = await makeServer(slipway.ctx, strangers.workspace, host)
    const body = { command: 'touch /tmp/ran' }
    const run = contract.runContainerCommand
    const params = { id: stage.server, cid }
    await slipway.refused(run, { token: stage.team.viewer.token, params, body }, 403)
    await slipway.refused(run, { token: strangers.owner.token, params, body }, 404)
    const sent = { token: strangers.owner.token, params: { id: own }, query: { container_id: cid } }
    expect((await slipway.ok(contract.listCommands, sent)).commands).toEqual([])
    expect((await stage.runIn(cid, 'ls /tmp 2>&1')).output.output.stdout).not.toContain('ran')
  })
})
