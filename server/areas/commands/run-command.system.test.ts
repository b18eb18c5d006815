import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import * as contract from '../../../contract/commands.ts'
import { listAudit } from '../../../contract/audit.ts'
import { longTest, times } from '../../../test/support/run/campaign.ts'
import {
  type CommandStage,
  holdOn,
  openCommandStage,
  untilSwept,
} from '../../../test/support/stages/commands.ts'
import { startSlipway, type TestSlipway } from '../../../test/support/stages/context.ts'
import { makeServer, makeTeam } from '../../../test/support/factories/factories.ts'
import { takeHost } from '../../../test/support/stages/take-host.ts'
import { newId } from '../../platform/ids.ts'

const host = await takeHost()
let slipway: TestSlipway
let stage: CommandStage
beforeAll(async () => {
  slipway = await startSlipway()
  stage = await openCommandStage(slipway, host)
})
afterAll(() => slipway.close())

describe('a command', () => {
  test('returns its output and exit code', async () => {
    const { output, command } = await stage.run('echo hello; exit 3')
    expect(output).toBe('hello\n')
    expect(command).toMatchObject({
      command: 'echo hello; exit 3',
      status: 'completed',
      exit_code: 3,
      error: null,
      output: 'hello\n',
      truncated: false,
      container_id: null,
      actor: { name: stage.team.admin.name },
      timeout_seconds: 60,
    })
    expect(Date.parse(command.finished_at ?? '')).toBeGreaterThanOrEqual(Date.parse(command.created_at))
    expect(await stage.get(command.id)).toEqual(command)
  })

  test.each([
    ['true', '', 0],
    ['false', '', 1],
    ['echo out; echo err >&2', 'out\n--- stderr ---\nerr\n', 0],
    ['printf out; echo err >&2', 'out\n--- stderr ---\nerr\n', 0],
    ['echo err >&2; exit 9', '--- stderr ---\nerr\n', 9],
    ['kill -9 $$', '', 137],
    ['no-such-program-here', expect.stringMatching(/^--- stderr ---\n.*not found\n$/), 127],
    ['echo \'$HOME\' "`echo tick`" ⛵ | cat', '$HOME tick ⛵\n', 0],
    ['for n in 1 2 3; do\n  echo line $n\ndone', 'line 1\nline 2\nline 3\n', 0],
    ['cat', '', 0],
    ["printf '\\000\\377\\342\\233'", '\u{fffd}\u{fffd}\u{fffd}', 0],
  ])('%j returns its output', async (text, said, code) => {
    const { output, command } = await stage.run(text)
    expect({ output, code: command.exit_code }).toEqual({ output: said, code })
  })

  test('leaves nothing on the server', async () => {
    await stage.run('echo gone')
    await untilSwept(host)
  })

  test('may print any bytes', async () => {
    const { output } = await stage.run('head -c 300000 /dev/urandom; echo; echo end')
    expect(output).toMatch(/\u{fffd}/u)
    expect(output).not.toContain('\0')
    expect(output.endsWith('\nend\n')).toBe(true)
  })

  longTest('that prints a gigabyte is truncated quickly', async () => {
    const text = "head -c 1G /dev/zero | tr '\\0' x; echo quiet >&2; exit 4"
    const { output, command } = await stage.run(text, { timeout_seconds: 60 })
    expect(command).toMatchObject({ status: 'completed', exit_code: 4, truncated: true })
    expect(output).toBe(`${'x'.repeat(1_048_576)}\n… truncated\n--- stderr ---\nquiet\n`)
  })

  test('is stopped on timeout and keeps its output', async () => {
    const { command } = await stage.run('echo begun; sleep 60', { timeout_seconds: 1 })
    expect(command).toMatchObject({ status: 'timed_out', exit_code: null, output: 'begun\n' })
    expect(command.error).toBe(
      'The command timed out after 1 second and was stopped. Run it again with a longer time limit if needed.',
    )
  })

  test('returns immediately without waiting and continues', async () => {
    const { wait, release } = holdOn(host)
    const { output, command } = await stage.run(`${wait}; echo done`, { wait: false })
    expect(output).toBe('')
    expect(command).toMatchObject({ status: 'running', exit_code: null, finished_at: null, output: '' })
    await release()
    expect(await stage.ended(command.id)).toMatchObject({ status: 'completed', output: 'done\n' })
  })

  test('continues when the client disconnects', async () => {
    const url = `${await slipway.listen()}/v1/servers/${stage.server}/command`
    const leaving = new AbortController()
    const { wait, release } = holdOn(host)
    const held = `${wait}; echo still here`
    const asked = fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${stage.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ command: held }),
      signal: leaving.signal,
    })
    const newest = await vi.waitFor(
      async () => {
        const sent = { token: stage.token, params: { id: stage.server } }
        const { commands } = await slipway.ok(contract.listCommands, sent)
        const found = commands.find(({ command }) => command === held)
        if (!found) throw new Error('It was not written down yet.')
        return found
      },
      { timeout: 120_000 },
    )
    leaving.abort()
    await expect(asked).rejects.toThrow('abort')
    await release()
    expect(await stage.ended(newest.id)).toMatchObject({ output: 'still here\n' })
  })

  test('runs once per Idempotency-Key', async () => {
    const sent = {
      token: stage.token,
      params: { id: stage.server },
      body: { command: 'echo once >>/root/once; cat /root/once' },
      headers: { 'idempotency-key': 'once' },
    }
    const first = await slipway.ok(contract.runCommand, sent)
    expect(await slipway.ok(contract.runCommand, sent)).toEqual(first)
    expect(first.output).toBe('once\n')
  })

  test('is in the audit log without its text', async () => {
    const { command } = await stage.run('echo s3cr3t-word')
    const { entries } = await slipway.ok(listAudit, { token: stage.team.owner.token })
    expect(entries[0]).toMatchObject({
      type: 'command.started',
      actor: { name: stage.team.admin.name },
      target: { kind: 'server', id: stage.server },
    })
    expect(JSON.stringify(entries)).toContain(command.id)
    expect(JSON.stringify(entries) + slipway.lines.join()).not.toContain('s3cr3t-word')
  })

  test('reaches only the shell, whatever characters it contains', async () => {
    const signs = fc.string({
      unit: fc.constantFrom(...Array.from('\'"`$(){}[];|&<>\\*?~#!%^=+-./ \t\nabc09é⛵')),
      minLength: 1,
      maxLength: 40,
    })
    await fc.assert(
      fc.asyncProperty(signs, async (text) => {
        // A quoted here-document passes text unchanged.
        const { output } = await stage.run(`cat <<'slipway-end'\n${text}\nslipway-end`)
        expect(output).toBe(`${text}\n`)
      }),
      { numRuns: times(15, 300) },
    )
    expect(await host.exec('ls', '/root')).toBe('once\n')
  })
})

describe('an unreachable server', () => {
  test('is reported, and the command has failed', async () => {
    const gone = await makeServer(slipway.ctx, stage.team.workspace, host, { port: 1, name: 'web-9' })
    const sent = { token: stage.token, params: { id: gone }, body: { command: 'true' } }
    const got = await slipway.refused(contract.runCommand, sent, 502, 'server_unreachable')
    expect(got.text).toContain('Could not reach web-9: connection refused on port 1.')
    const { commands } = await slipway.ok(contract.listCommands, { token: stage.token, params: { id: gone } })
    expect(commands).toMatchObject([
      { status: 'failed', exit_code: null, error: expect.stringContaining('Could not reach web-9') },
    ])
  })

  test('without an address is reported as well', async () => {
    const bare = await makeServer(slipway.ctx, stage.team.workspace, host, { address: null, name: 'cloud-1' })
    const sent = { token: stage.token, params: { id: bare }, body: { command: 'true' } }
    const got = await slipway.refused(contract.runCommand, sent, 502)
    expect(got.text).toContain('Could not reach cloud-1: the server has no address or no key yet.')
  })

  test('with another host key runs nothing', async () => {
    const host_keys = ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE8nFUWZNqh3fYtyGYRGv8OFk3bP5mQxwqkVt4c7E9oL']
    const changed = await makeServer(slipway.ctx, stage.team.workspace, host, { host_keys })
    const sent = { token: stage.token, params: { id: changed }, body: { command: 'touch /root/ran' } }
    await slipway.refused(contract.runCommand, sent, 409, 'host_key_changed')
    expect(await host.exec('ls', '/root')).not.toContain('ran')
  })
})

describe('access is refused', () => {
  test('to viewers, for running and reading', async () => {
    const { command } = await stage.run('true')
    const { token } = stage.team.viewer
    const params = { id: stage.server, command_id: command.id }
    const { runCommand, listCommands, getCommand, cancelCommand, streamCommand } = contract
    await slipway.refused(runCommand, { token, params, body: { command: 'true' } }, 403)
    for (const endpoint of [listCommands, getCommand, cancelCommand, streamCommand])
      await slipway.refused(endpoint, { token, params }, 403)
  })

  test('to other workspaces, even through their own server', async () => {
    const { command } = await stage.run('true')
    const strangers = await makeTeam(slipway.db)
    const { token } = strangers.owner
    const own = await makeServer(slipway.ctx, strangers.workspace, host)
    const { runCommand, listCommands, getCommand, cancelCommand, streamCommand } = contract
    for (const id of [stage.server, own, newId('server')]) {
      const params = { id, command_id: command.id }
      if (id !== own) await slipway.refused(runCommand, { token, params, body: { command: 'true' } }, 404)
      if (id !== own) await slipway.refused(listCommands, { token, params: { id } }, 404)
      for (const endpoint of [getCommand, cancelCommand, streamCommand])
        await slipway.refused(endpoint, { token, params }, 404)
    }
  })

  test('through another server of the workspace', async () => {
    const { command } = await stage.run('true')
    const other = await makeServer(slipway.ctx, stage.team.workspace, host)
    const sent = { token: stage.token, params: { id: other, command_id: command.id } }
    await slipway.refused(contract.getCommand, sent, 404)
    await slipway.refused(contract.cancelCommand, sent, 404)
  })
})
