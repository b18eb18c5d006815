import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSlipway, type TestSlipway } from '../../../test/support/stages/context.ts'
import { enterTerminal, terminalUrl } from '../../../test/support/clients/enter-terminal.ts'
import { makeServer, makeTeam, type Someone } from '../../../test/support/factories/factories.ts'
import { bytesWaiting, joinSocket } from '../../../test/support/clients/sockets.ts'
import { takeHost } from '../../../test/support/stages/take-host.ts'

const host = await takeHost()
let slipway: TestSlipway
let url: string
beforeAll(async () => {
  slipway = await startSlipway()
  url = await slipway.listen()
})
afterAll(() => slipway.close())

async function arrive() {
  const team = await makeTeam(slipway.db)
  const server = await makeServer(slipway.ctx, team.workspace, host, { name: 'web-1' })
  const enter = (who: Someone = team.admin, query?: Record<string, string | number>) =>
    enterTerminal(url, server, who.token, query)
  return { ...team, server, enter }
}

const megabyte = 1_048_576
const patient = { interval: 20 }

describe('a lost socket', () => {
  test('keeps the shell, which is redrawn on reconnect', async () => {
    const { admin, enter } = await arrive()
    const before = await enter(admin, { cols: 90, rows: 20 })
    before.type('secret=pearl; echo first-$secret\r')
    await before.sees('first-pearl')
    before.type('sleep 1; echo meanwhile-$secret\r')
    await before.sees('sleep 1')
    before.drop()
    const after = await enter(admin, { session: before.session, cols: 120, rows: 40 })
    expect([after.resumed, after.session]).toEqual([true, before.session])
    await after.sees(/first-pearl[^]*meanwhile-pearl/)
    after.type('echo still-$secret; stty size\r')
    await after.sees(/still-pearl\s+40 120/)
  })

  test('can be replaced before its loss is noticed', async () => {
    const { enter, admin } = await arrive()
    const first = await enter()
    first.type('echo first-$((1 + 1))\r')
    await first.sees('first-2')
    const second = await enter(admin, { session: first.session })
    expect(second.resumed).toBe(true)
    expect(await first.message('end')).toEqual({
      type: 'end',
      reason: 'This terminal was opened in another window.',
      lost: false,
    })
    // Input of the first socket is ignored.
    await first.closed()
    second.type('echo second-$((1 + 1))\r')
    await second.sees('second-2')
  })

  test('gives the shell to no other user and no other server', async () => {
    const { server, workspace, admin, owner, enter } = await arrive()
    const mine = await enter()
    mine.type('echo hidden-$((1 + 1))\r')
    await mine.sees('hidden-2')
    mine.drop()
    const theirs = await enter(owner, { session: mine.session })
    expect([theirs.resumed, theirs.session === mine.session]).toEqual([false, false])
    const other = await makeServer(slipway.ctx, workspace, host)
    expect(other).not.toBe(server)
    const elsewhere = await enterTerminal(url, other, admin.token, { session: mine.session })
    expect(elsewhere.resumed).toBe(false)
    theirs.type('echo ready-$((1 + 1))\r')
    await theirs.sees('ready-2')
    expect(theirs.text()).not.toContain('hidden-2')
  })

  test('does not restore a shell that its user closed', async () => {
    const { admin, workspace, server, enter } = await arrive()
    const first = await enter()
    first.close()
    await first.closed()
    // The client sees its socket closed before the server has handled that.
    const shell = () => slipway.ctx.terminals.find(first.session, { workspace, user: admin.id, server })
    await expect.poll(shell, patient).toBeUndefined()
    expect((await enter(admin, { session: first.session })).resumed).toBe(false)
  })

  test('leaves a shell that is closed when its user needs the slot', async () => {
    const { admin, enter } = await arrive()
    const lost = [await enter(), await enter(), await enter(), await enter()]
    for (const socket of lost) socket.drop()
    await expect.poll(async () => (await enter(admin)).resumed, patient).toBe(false)
  })
})

describe('a flood', () => {
  const waiting = () => bytesWaiting(slipway.app)

  test('waits on the server while the reader is slow', async () => {
    const { enter } = await arrive()
    const terminal = await enter()
    terminal.stall()
    terminal.type('yes 0123456789012345678901234567890123456789\r')
    await expect.poll(waiting, patient).toBeGreaterThan(megabyte)
    let most = 0
    for (
      const end = Date.now() + 1_500;
      Date.now() < end;
      await new Promise((resolve) => setTimeout(resolve, 5))
    )
      most = Math.max(most, waiting())
    expect(most).toBeLessThan(2 * megabyte)
    const before = terminal.size()
    terminal.read()
    await expect.poll(() => terminal.size() - before, patient).toBeGreaterThan(20 * megabyte)
    terminal.type('\u0003')
    terminal.type('echo calm-$((1 + 1))\r')
    await terminal.sees('calm-2')
  })

  test('of input ends the terminal when the shell does not read it', async () => {
    const { enter } = await arrive()
    const terminal = await enter()
    terminal.type('stty raw -echo; echo deaf-$((1 + 1)); sleep 1000\r')
    await terminal.sees('deaf-2')
    for (let sent = 0; sent < 16 * megabyte; sent += 60_000) terminal.type('x'.repeat(60_000))
    expect(await terminal.message('end')).toMatchObject({
      reason: expect.stringMatching(/stopped reading input/),
      lost: false,
    })
  })

  test('stays within a megabyte of what the client has acknowledged', async () => {
    const { enter } = await arrive()
    const terminal = await enter()
    terminal.send({ type: 'seen', bytes: 0 })
    terminal.type('yes 0123456789\r')
    await expect.poll(() => terminal.size(), patient).toBeGreaterThan(megabyte)
    await new Promise((resolve) => setTimeout(resolve, 500))
    const first = terminal.size()
    expect(first).toBeLessThan(2 * megabyte)
    terminal.send({ type: 'seen', bytes: first })
    await expect.poll(() => terminal.size(), patient).toBeGreaterThan(first + megabyte)
  })
})

describe('an unreachable server', () => {
  test('ends the terminal with a sentence and can be entered again later', async () => {
    const { server, admin, enter } = await arrive()
    const terminal = await enter()
    await host.cut()
    expect(await terminal.message('end')).toEqual({
      type: 'end',
      reason: 'The connection to web-1 was lost.',
      lost: true,
    })
    const meanwhile = await joinSocket(terminalUrl(url, server), { authorization: `Bearer ${admin.token}` })
    await host.plug()
    await Promise.race([meanwhile.message('opened'), meanwhile.message('end')])
    meanwhile.close()
    const again = await enter(admin, { session: terminal.session })
    expect(again.resumed).toBe(false)
    again.type('echo back-$((1 + 1))\r')
    await again.sees('back-2')
  })
})
