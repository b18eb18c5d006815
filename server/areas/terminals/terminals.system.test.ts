import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Id } from '../../../contract/shared/ids.ts'
import { createStreamTicket } from '../../../contract/live.ts'
import { deleteServer } from '../../../contract/servers.ts'
import { changeRole, removeMember } from '../../../contract/workspaces.ts'
import { startSlipway, type TestSlipway } from '../../../test/support/stages/context.ts'
import { makeServer, makeSomeone, makeTeam, type Someone } from '../../../test/support/factories/factories.ts'
import { enterTerminal, terminalUrl } from '../../../test/support/clients/enter-terminal.ts'
import { joinSocket, openSocket } from '../../../test/support/clients/sockets.ts'
import { takeHost } from '../../../test/support/stages/take-host.ts'
import { newId } from '../../platform/ids.ts'
import { longTest } from '../../../test/support/run/campaign.ts'

const host = await takeHost()
let slipway: TestSlipway
let url: string
beforeAll(async () => {
  slipway = await startSlipway({ OUTBOUND_NETWORKS: '127.0.0.0/8' })
  url = await slipway.listen()
})
afterAll(() => slipway.close())

async function arrive() {
  const team = await makeTeam(slipway.db)
  return { ...team, server: await makeServer(slipway.ctx, team.workspace, host, { name: 'web-1' }) }
}

const at = (server: string, query?: Record<string, string | number>) => terminalUrl(url, server, query)
const bearer = ({ token }: Pick<Someone, 'token'>) => ({ authorization: `Bearer ${token}` })
const enter = (server: string, { token }: Someone, query?: Record<string, string | number>) =>
  enterTerminal(url, server, token, query)

/** Returns the IDs of the processes on the server with this command line. */
const running = (line: string) => host.exec('pgrep', '-f', line).catch(() => '')
const patient = { timeout: 120_000 }

describe('a terminal', () => {
  test('runs input, shows output and ends with the shell', async () => {
    const { server, admin } = await arrive()
    const terminal = await enter(server, admin)
    expect(terminal.resumed).toBe(false)
    terminal.type('echo $((6 * 7)) and ümläut; hostname\r')
    await terminal.sees('42 and ümläut')
    terminal.type('exit 3\r')
    expect(await terminal.message('end')).toEqual({
      type: 'end',
      reason: 'The shell exited with code 3.',
      lost: false,
    })
    expect(await terminal.closed()).toBe(1000)
  })

  test('follows size changes', async () => {
    const { server, admin } = await arrive()
    const terminal = await enter(server, admin, { cols: 101, rows: 33 })
    terminal.type('stty size\r')
    await terminal.sees('33 101')
    terminal.send({ type: 'resize', cols: 132, rows: 50 })
    terminal.type('stty size\r')
    await terminal.sees('50 132')
  })

  test('is in the audit log once', async () => {
    const { server, admin, workspace } = await arrive()
    const first = await enter(server, admin)
    first.drop()
    await enter(server, admin, { session: first.session })
    const events = await slipway.db
      .selectFrom('events')
      .select(['type', 'actor_id', 'target_id'])
      .where('workspace_id', '=', workspace)
      .execute()
    expect(events).toEqual([{ type: 'terminal.opened', actor_id: admin.id, target_id: server }])
  })

  test('is closed on unknown messages', async () => {
    const { server, admin } = await arrive()
    const bad = [
      'hello',
      '{}',
      '{"type":"input"}',
      '{"type":"input","data":1}',
      '{"type":"input","data":"x","more":1}',
      '{"type":"resize","cols":0,"rows":1}',
      '{"type":"resize","cols":1e9,"rows":1}',
      '{"type":"shell"}',
      Buffer.from('bytes'),
    ]
    for (const raw of bad) {
      const terminal = await enter(server, admin)
      terminal.sendRaw(raw)
      expect(await terminal.closed()).toBe(1008)
    }
  })

  test('passes metacharacters and control characters unchanged', async () => {
    const { server, admin } = await arrive()
    const terminal = await enter(server, admin, { session: "'; touch /tmp/broken; '" })
    terminal.type('sleep 4321\r')
    await expect.poll(() => running('sleep 4321'), patient).not.toBe('')
    terminal.type('\u0003')
    await expect.poll(() => running('sleep 4321'), patient).toBe('')
    terminal.type("printf '%s|' '$(touch /tmp/broken)' \"a'b\" && echo done\r")
    await terminal.sees("$(touch /tmp/broken)|a'b|done")
    expect(await host.exec('ls', '/tmp')).not.toContain('broken')
  })
})

describe('a terminal is refused', () => {
  test('to anonymous users, viewers, members, other workspaces, expired tickets and missing servers', async () => {
    const { server, viewer, member, admin, owner } = await arrive()
    const stranger = await makeTeam(slipway.db)
    const { ticket } = await slipway.ok(createStreamTicket, { token: admin.token })
    const used = await joinSocket(at(server, { token: ticket }))
    await used.message('opened')
    used.close()
    const { ticket: expired } = await slipway.ok(createStreamTicket, { token: admin.token })
    await slipway.db
      .updateTable('stream_tickets')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .execute()
    const tries = [
      [at(server), {}, 401],
      [at(server, { token: ticket }), {}, 401],
      [at(server, { token: expired }), {}, 401],
      [at(server), bearer({ token: 'slp_nobody' }), 401],
      [at(server), bearer(viewer), 403],
      [at(server), bearer(member), 403],
      [at(server), bearer(stranger.owner), 404],
      [at('srv_00000000000000000000000000'), bearer(owner), 404],
      [at(server, { cols: 'wide' }), bearer(owner), 422],
      [at(server, { cols: 100_000 }), bearer(owner), 422],
    ] as const
    for (const [where, headers, status] of tries)
      expect((await openSocket(where, headers)).refused?.status).toBe(status)
  })

  test('with a sentence when the server is unreachable', async () => {
    const { workspace, admin } = await arrive()
    const given = { name: 'far', address: '127.0.0.1', port: 1 }
    const server = await makeServer(slipway.ctx, workspace, host, given)
    const socket = await joinSocket(at(server), bearer(admin))
    const { reason, lost } = await socket.message('end')
    expect(reason).toMatch(/^Could not reach far: .*refused.*\.$/)
    expect(lost).toBe(false)
    expect(await socket.closed()).toBe(1000)
  })

  test('while four are open on the server', async () => {
    const { server, admin, owner } = await arrive()
    const four = [await enter(server, admin)]
    for (const who of [admin, owner, owner]) four.push(await enter(server, who))
    const fifth = await joinSocket(at(server), bearer(admin))
    expect(await fifth.message('end')).toMatchObject({
      reason: expect.stringMatching(/^4 terminals are open on web-1/),
    })
    four[0]?.close()
    await expect.poll(async () => tryOnce(server, admin)).toBe('opened')
  })

  async function tryOnce(server: Id<'server'>, who: Someone) {
    const socket = await joinSocket(at(server), bearer(who))
    const type = await Promise.race(['opened', 'end'].map((one) => socket.message(one).then(() => one)))
    socket.close()
    return type
  }
})

describe('the user of a terminal', () => {
  test('loses it with the role, and the shell ends', async () => {
    const { server, admin, owner } = await arrive()
    const terminal = await enter(server, admin)
    terminal.type('exec sleep 4242\r')
    await expect.poll(() => running('sleep 4242'), patient).not.toBe('')
    const { token } = owner
    await slipway.ok(changeRole, { token, params: { id: admin.member }, body: { role: 'member' } })
    expect(await terminal.message('end')).toEqual({
      type: 'end',
      reason: 'Your role no longer gives you access.',
      lost: false,
    })
    await expect.poll(() => running('sleep 4242'), patient).toBe('')
  })

  longTest('loses it when removed from the workspace', async () => {
    const { server, workspace, owner } = await arrive()
    const guest = await makeSomeone(slipway.db, workspace, 'admin')
    const terminal = await enter(server, guest)
    await slipway.ok(removeMember, { token: owner.token, body: { member_id: guest.member } })
    expect(await terminal.message('end')).toMatchObject({ lost: false })
    expect(await terminal.closed()).toBe(1000)
    expect((await openSocket(at(server, { session: terminal.session }), bearer(guest))).refused?.status).toBe(
      404,
    )
  })

  test('loses it when the server is deleted', async () => {
    const { server, admin, owner } = await arrive()
    const terminal = await enter(server, admin)
    await slipway.ok(deleteServer, { token: owner.token, params: { id: server } })
    expect(await terminal.message('end')).toEqual({ type: 'end', reason: 'web-1 was deleted.', lost: false })
  })

  test('loses it and its shell on This machine', async () => {
    const { workspace, owner, admin } = await arrive()
    const id = newId('server')
    const row = { id, workspace_id: workspace, name: 'This machine', kind: 'local', status: 'ready' } as const
    await slipway.db.insertInto('servers').values(row).execute()
    expect((await openSocket(at(id), bearer(owner))).refused?.status).toBe(403)
    await slipway.db.updateTable('users').set({ instance_owner: true }).where('id', '=', admin.id).execute()
    const terminal = await enter(id, admin)
    // The shell ignores SIGHUP.
    terminal.type("trap '' HUP; echo shell-$$-runs\r")
    await terminal.sees(/shell-\d+-runs/)
    const pid = Number(/shell-(\d+)-runs/.exec(terminal.text())?.[1])
    await slipway.ok(deleteServer, { token: admin.token, params: { id } })
    expect(await terminal.message('end')).toEqual({
      type: 'end',
      reason: 'This machine was deleted.',
      lost: false,
    })
    await expect.poll(() => existsSync(`/proc/${pid}`), patient).toBe(false)
  })
})
