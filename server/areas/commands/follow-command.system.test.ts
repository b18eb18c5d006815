import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import * as contract from '../../../contract/commands.ts'
import { streamLive } from '../../../contract/live.ts'
import { outputEvent } from '../../../contract/shared/replies.ts'
import {
  type CommandStage,
  openCommandStage,
  processesWith,
  untilSwept,
  holdOn,
} from '../../../test/support/stages/commands.ts'
import { startSlipway, type TestSlipway } from '../../../test/support/stages/context.ts'
import { makeSomeone } from '../../../test/support/factories/factories.ts'
import { openStream, type Stream } from '../../../test/support/clients/streams.ts'
import { takeHost } from '../../../test/support/stages/take-host.ts'
import { deleteOldCommands } from './command-leases.ts'
import { sealCommandText } from './command.ts'
import { longTest } from '../../../test/support/run/campaign.ts'

const host = await takeHost()
let slipway: TestSlipway
let stage: CommandStage
beforeAll(async () => {
  slipway = await startSlipway()
  stage = await openCommandStage(slipway, host)
})
afterAll(() => slipway.close())

const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `${from + index}\n`).join('')

/** Prints a number about every 50 ms. */
const count = (to: number) => `n=0; while [ $n -lt ${to} ]; do n=$((n + 1)); echo $n; sleep 0.05; done`

const events = (stream: Stream) => stream.heard.map(({ data }) => outputEvent.parse(data))
const textOf = (stream: Stream) =>
  events(stream)
    .map((event) => (event.type === 'output' ? event.text : ''))
    .join('')

describe('the output stream', () => {
  test('contains earlier output, new output and the end', async () => {
    const { wait, release } = holdOn(host)
    const id = await stage.begin(`echo one; echo bad >&2; ${wait}; echo two`)
    await stage.says(id, /one/)
    const stream = await stage.stream(id)
    await vi.waitFor(() => expect(textOf(stream)).toContain('one\n'))
    await release()
    await stream.untilEnded()
    expect(events(stream).at(0)).toEqual({ type: 'connected' })
    expect(events(stream).at(-1)).toEqual({ type: 'end' })
    expect(events(stream)).toContainEqual(
      expect.objectContaining({ type: 'output', stream: 'stderr', text: 'bad\n' }),
    )
    expect(textOf(stream).replace('bad\n', '')).toBe('one\ntwo\n')
  })

  test('resumes after the last event', async () => {
    const { wait, release } = holdOn(host)
    const id = await stage.begin(`echo one; ${wait}; echo two`)
    const first = await stage.stream(id)
    await vi.waitFor(() => expect(textOf(first)).toBe('one\n'))
    await release()
    await first.untilEnded()
    const heard = first.heard.find((event) => event.id !== '')
    const again = await stage.stream(id, { 'last-event-id': heard?.id ?? '' })
    await again.untilEnded()
    expect(textOf(again)).toBe('two\n')
  })

  test.each(['x', '-1', '1e400', '99999999999999999999', "1' or 1=1"])(
    'starts at the beginning after %s, which was never sent',
    async (last) => {
      const { command } = await stage.run('echo one')
      const stream = await stage.stream(command.id, { 'last-event-id': last })
      await stream.untilEnded()
      expect(textOf(stream)).toBe('one\n')
    },
  )

  test('ends when the permission is revoked', async () => {
    const id = await stage.begin(count(400))
    onTestFinished(async () => void (await stage.cancel(id)))
    const { owner, workspace } = stage.team
    const reader = await makeSomeone(slipway.db, workspace, 'admin')
    const url = `${await slipway.listen()}/v1/servers/${stage.server}/commands/${id}/output`
    const stream = await openStream(url, { authorization: `Bearer ${reader.token}` })
    await vi.waitFor(() => expect(textOf(stream)).toContain('3\n'))
    await slipway.call('PUT /v1/workspaces/members/{id}', {
      token: owner.token,
      params: { id: reader.member },
      body: { role: 'member' },
    })
    await stream.untilEnded()
    expect(events(stream).at(-1)?.type).toBe('output')
  })
})

test('updates open consoles at start and end', async () => {
  const live = await openStream(`${await slipway.listen()}${streamLive.path}`, {
    authorization: `Bearer ${stage.team.owner.token}`,
  })
  await live.event('connected')
  await stage.run('true')
  await live.event('command.started')
  await live.event('command.ended')
})

describe('canceling', () => {
  test('ends all processes and keeps the output', async () => {
    const id = await stage.begin('echo begun; sleep 4321 & sleep 4321 & sleep 4321; echo never')
    await stage.says(id, 'begun\n')
    await vi.waitFor(async () => expect(await processesWith(host, 'sleep 4321')).toBeGreaterThanOrEqual(3))
    expect(await stage.cancel(id)).toMatchObject({ status: 'cancelled', exit_code: null, output: 'begun\n' })
    expect(await processesWith(host, 'sleep 4321')).toBe(0)
    await untilSwept(host)
  })

  test('kills processes that ignore the first signal', async () => {
    const id = await stage.begin("trap '' TERM; echo deaf; while :; do sleep 1; done")
    await stage.says(id, 'deaf\n')
    expect(await stage.cancel(id)).toMatchObject({ status: 'cancelled', output: 'deaf\n' })
  })

  test('prevents a command from starting, or ends it', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => stage.begin('sleep 30; echo never')))
    const ended = await Promise.all(ids.map((id) => stage.cancel(id)))
    expect(ended.map(({ status }) => status)).toEqual(ids.map(() => 'cancelled'))
    await vi.waitFor(async () => expect(await processesWith(host, 'sleep 30')).toBe(0))
  })

  test('leaves a finished command unchanged', async () => {
    const { command } = await stage.run('echo done')
    expect(await stage.cancel(command.id)).toEqual(command)
  })

  test('writes an audit event when it has an effect', async () => {
    const id = await stage.begin('sleep 60')
    await stage.cancel(id)
    await stage.cancel(id)
    const emitted = await slipway.db
      .selectFrom('events')
      .select('id')
      .where('type', '=', 'command.cancelled')
      .where('detail', '=', id)
      .execute()
    expect(emitted).toHaveLength(1)
  })
})

longTest('runs fifty commands on a server with ten sessions', async () => {
  const all = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => (await stage.run(`echo ${index}; sleep 0.2`)).output),
  )
  expect(all).toEqual(all.map((_, index) => `${index}\n`))
  await untilSwept(host)
})

test('runs more long commands than the server has sessions', async () => {
  const ids = await Promise.all(Array.from({ length: 14 }, () => stage.begin('echo up; sleep 300')))
  await Promise.all(ids.map((id) => stage.says(id, 'up\n')))
  expect((await stage.run('echo room')).output).toBe('room\n')
  await Promise.all(ids.map((id) => stage.cancel(id)))
  await untilSwept(host)
})

describe('when the connection is lost', () => {
  test('by the network, no line is lost or repeated', async () => {
    const { wait, release } = holdOn(host)
    const id = await stage.begin(`for n in $(seq 10); do echo $n; done; ${wait}; seq 11 150`)
    const stream = await stage.stream(id)
    await stage.says(id, /\n10\n/)
    await host.cut()
    onTestFinished(() => host.plug())
    await release()
    // Wait longer than Slipway needs to detect the lost connection.
    await sleep(8_000)
    expect(await stage.get(id)).toMatchObject({ status: 'running' })
    await host.plug()
    expect(await stage.ended(id)).toMatchObject({ status: 'completed', output: lines(1, 150) })
    await stream.untilEnded()
    expect(textOf(stream)).toBe(lines(1, 150))
    await untilSwept(host)
  })

  longTest('by a power failure, the command is reported as lost', async () => {
    const id = await stage.begin('echo begun; sleep 300')
    await stage.says(id, 'begun\n')
    await host.powerOff()
    await host.powerOn()
    expect(await stage.ended(id)).toMatchObject({
      status: 'lost',
      exit_code: null,
      output: 'begun\n',
      error:
        'The server went down while the command was running. Its result is unknown. Check the server before you run it again.',
    })
    expect((await stage.run('echo up again')).output).toBe('up again\n')
    await untilSwept(host)
  })
})

describe('the list', () => {
  test('is sorted by time and paginated by cursor or number', async () => {
    const own = await openCommandStage(slipway, host)
    for (const n of [1, 2, 3, 4, 5]) await own.run(`echo ${n}`)
    const list = (query: Record<string, string>) =>
      slipway.ok(contract.listCommands, { token: own.token, params: { id: own.server }, query })
    const numbers = ({ commands }: Awaited<ReturnType<typeof list>>) =>
      commands.map(({ command }) => Number(command.slice(5)))
    const first = await list({ limit: '2' })
    expect(numbers(first)).toEqual([5, 4])
    expect(first.page.total).toBe(5)
    expect(numbers(await list({ limit: '2', cursor: first.page.next ?? '' }))).toEqual([3, 2])
    expect(numbers(await list({ limit: '2', page: '1' }))).toEqual([5, 4])
    const last = await list({ limit: '2', page: '3' })
    expect([numbers(last), last.page.next]).toEqual([[1], null])
    expect((await list({ limit: '2', page: '9' })).page).toEqual({ next: null, total: 5 })
    expect(numbers(await list({ container_id: 'none' }))).toEqual([])
    const both = {
      token: own.token,
      params: { id: own.server },
      query: { page: '1', cursor: first.page.next ?? '' },
    }
    await slipway.refused(contract.listCommands, both, 422)
    expect(z.array(z.object({ output: z.string() })).safeParse(first.commands).success).toBe(false)
  })

  test('deletes commands older than thirty days or beyond a thousand, with their output', async () => {
    const own = await openCommandStage(slipway, host)
    const { command: old } = await own.run('echo old')
    const { command: kept } = await own.run('echo kept')
    await slipway.db
      .updateTable('commands')
      .set({ created_at: new Date(Date.now() - 31 * 86_400_000) })
      .where('id', '=', old.id)
      .execute()
    const ids = Array.from(
      { length: 1_001 },
      (_, index) => `cmd_0${String(index).padStart(25, '0')}` as const,
    )
    const many = ids.map((id) => ({
      id,
      workspace_id: own.team.workspace,
      server_id: own.server,
      command_sealed: sealCommandText(slipway.ctx, id, 'true'),
      status: 'completed' as const,
      timeout_seconds: 60,
      actor_name: 'Ada',
    }))
    await slipway.db.insertInto('commands').values(many).execute()
    await deleteOldCommands(slipway.db)
    await slipway.refused(contract.getCommand, own.named(old.id), 404)
    expect((await own.get(kept.id)).output).toBe('kept\n')
    const sent = { token: own.token, params: { id: own.server } }
    // The old command was deleted because of its age, although it was among the newest thousand.
    expect((await slipway.ok(contract.listCommands, sent)).page.total).toBe(999)
    const said = await slipway.db.selectFrom('outputs').select('seq').where('source', '=', old.id).execute()
    expect(said).toEqual([])
  })
})
