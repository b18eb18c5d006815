import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { processesWith } from '../../../test/support/stages/commands.ts'
import { untilLast } from '../../../test/support/stages/logs.ts'
import { runContainer } from '../../../test/support/stages/containers.ts'
import { startSlipway, type TestSlipway } from '../../../test/support/stages/context.ts'
import { enterTerminal, terminalUrl } from '../../../test/support/clients/enter-terminal.ts'
import { makeServer, makeTeam, type Someone } from '../../../test/support/factories/factories.ts'
import { joinSocket, openSocket } from '../../../test/support/clients/sockets.ts'
import { takeHost } from '../../../test/support/stages/take-host.ts'
import { longTest } from '../../../test/support/run/campaign.ts'

const host = await takeHost()
let slipway: TestSlipway
let url: string
let cid: string
let team: Awaited<ReturnType<typeof makeTeam>>
let server: string
beforeAll(async () => {
  slipway = await startSlipway()
  url = await slipway.listen()
  cid = await runContainer(host, { options: ['--name', 'web'] })
  team = await makeTeam(slipway.db)
  server = await makeServer(slipway.ctx, team.workspace, host, { name: 'web-1' })
})
afterAll(() => slipway.close())

const patient = { interval: 50 }
const docker = (...args: string[]) => host.exec('docker', ...args)
const bearer = ({ token }: Pick<Someone, 'token'>) => ({ authorization: `Bearer ${token}` })
const inside = (container: string) => `${server}/containers/${container}`
const enter = (container = cid, query?: Record<string, string | number>) =>
  enterTerminal(url, inside(container), team.admin.token, query)
/** Opens a socket and returns the error it receives. */
const toldOf = async (container: string) =>
  (await joinSocket(terminalUrl(url, inside(container)), bearer(team.admin))).message('end')
const untilGone = (word: string) =>
  vi.waitFor(async () => expect(await processesWith(host, word)).toBe(0), patient)
const untilRuns = (word: string) =>
  vi.waitFor(async () => expect(await processesWith(host, word)).toBeGreaterThan(0), patient)
const rows = () => slipway.db.selectFrom('container_shells').selectAll().execute()

describe('a terminal in a container', () => {
  test('runs input and ends with the shell', async () => {
    const terminal = await enter('web')
    terminal.type('echo $((6 * 7)) and ümläut on $(hostname), $TERM\r')
    await terminal.sees(`42 and ümläut on ${cid.slice(0, 12)}, xterm-256color`)
    terminal.type('exit 3\r')
    expect(await terminal.message('end')).toEqual({
      type: 'end',
      reason: 'The shell exited with code 3.',
      lost: false,
    })
    expect(await terminal.closed()).toBe(1000)
    await vi.waitFor(async () => expect(await rows()).toEqual([]), patient)
  })

  test('follows size changes', async () => {
    const terminal = await enter(cid, { cols: 101, rows: 33 })
    terminal.type('stty size\r')
    await terminal.sees('33 101')
    terminal.send({ type: 'resize', cols: 132, rows: 50 })
    await vi.waitFor(() => {
      terminal.type('stty size\r')
      return terminal.sees('50 132', 500)
    }, patient)
  })

  test('supports Ctrl-C, raw mode and a paste of 100 KB', async () => {
    const terminal = await enter()
    terminal.type('sleep 34567\r')
    await untilRuns('sleep 34567')
    terminal.type('\u0003')
    await untilGone('sleep 34567')
    terminal.type('stty raw -echo; echo raw-$((1 + 1)); dd bs=1 count=3 2>/dev/null | od -c; stty sane\r')
    await terminal.sees('raw-2')
    terminal.type('\u0003\u0004\u001b')
    await terminal.sees('003 004 033')
    // The input is sent in lines, because a TTY accepts at most 4 KB per line.
    const pasted = Array.from({ length: 1_000 }, (_, n) => `${n} ${'x'.repeat(96)}`.slice(0, 99)).join('\r')
    expect(pasted.length).toBeGreaterThan(99_000)
    terminal.type('stty -echo; echo quiet-$((1 + 1)); wc -c\r')
    await terminal.sees('quiet-2')
    for (let at = 0; at < pasted.length; at += 16_000) terminal.type(pasted.slice(at, at + 16_000))
    terminal.type('\r\u0004')
    await terminal.sees(String(pasted.length + 1))
  })

  test('uses bash if available', async () => {
    const own = await runContainer(host)
    await docker(
      'exec',
      own,
      'sh',
      '-c',
      'printf "#!/bin/sh\\necho this-is-$((1 + 1))-bash" >/bin/bash; chmod +x /bin/bash',
    )
    const socket = await joinSocket(terminalUrl(url, inside(own)), bearer(team.admin))
    await socket.sees('this-is-2-bash')
  })

  test('is in the audit log with container and server', async () => {
    await enter()
    const event = await slipway.db
      .selectFrom('events')
      .select(['type', 'actor_id', 'target_kind', 'target_id', 'target_name', 'detail'])
      .where('workspace_id', '=', team.workspace)
      .orderBy('id', 'desc')
      .executeTakeFirst()
    expect(event).toEqual({
      type: 'terminal.opened',
      actor_id: team.admin.id,
      target_kind: 'container',
      target_id: cid,
      target_name: 'web',
      detail: 'on web-1',
    })
  })

  test('is restored after a lost socket, but not from elsewhere', async () => {
    const before = await enter()
    before.type('secret=pearl; echo first-$secret\r')
    await before.sees('first-pearl')
    before.drop()
    const other = await runContainer(host)
    expect((await enter(other, { session: before.session })).resumed).toBe(false)
    const onServer = await enterTerminal(url, server, team.admin.token, { session: before.session })
    expect(onServer.resumed).toBe(false)
    const theirs = await enterTerminal(url, inside(cid), team.owner.token, { session: before.session })
    expect(theirs.resumed).toBe(false)
    const after = await enter(cid, { session: before.session })
    expect(after.resumed).toBe(true)
    after.type('echo still-$secret\r')
    await after.sees(/first-pearl[^]*still-pearl/)
  })
})

describe('closing', () => {
  test('ends the shell and all its processes', async () => {
    const terminal = await enter()
    const lines = [
      'sh -c \'trap "" HUP TERM INT; while :; do sleep 23451; done\' &',
      'sleep 23452 &',
      'setsid sleep 23453 &',
      '(env -i /bin/sleep 23454 >/dev/null 2>&1 &)',
    ]
    for (const [n, line] of lines.entries()) {
      terminal.type(`${line}\r`)
      await untilRuns(`sleep 2345${n + 1}`)
    }
    terminal.type("trap '' HUP TERM; cat /proc/self/comm - | tee /dev/null; sleep 23455\r")
    await untilRuns('cat /proc/self/comm')
    // Shells of earlier tests may still be ending.
    await vi.waitFor(async () => expect(await rows()).toHaveLength(1), patient)
    terminal.close()
    await untilGone('sleep 2345')
    await untilGone('cat /proc/self/comm')
    await vi.waitFor(async () => expect(await rows()).toEqual([]), patient)
    expect(await docker('exec', cid, 'echo', 'others go on')).toContain('others go on')
  })

  test('ends a full-screen program', async () => {
    const terminal = await enter()
    terminal.type('vi /tmp/some-file\r')
    await untilRuns('vi /tmp/some-file')
    terminal.close()
    await untilGone('vi /tmp/some-file')
  })
})

describe('a container without a shell', () => {
  test('is reported on the socket with the reason', async () => {
    const own = await runContainer(host, { options: ['--name', 'idle'] })
    await docker('pause', own)
    expect(await toldOf(own)).toEqual({
      type: 'end',
      reason: 'The container idle is paused. Unpause it and try again.',
      lost: false,
    })
    await docker('unpause', own)
    await docker('stop', own)
    expect((await toldOf(own))['reason']).toMatch(/^The container idle is not running/)
    await docker('rm', own)
    for (const missing of [own, 'idle', 'wéb', '-x'])
      expect((await openSocket(terminalUrl(url, inside(missing)), bearer(team.admin))).refused?.status).toBe(
        404,
      )
    const bare = await runContainer(host, {
      options: ['--name', 'bare'],
      script: 'rm /bin/sh; echo removed; sleep 1000000',
    })
    // With a shell the socket would stay open.
    await untilLast(host, bare, 'removed')
    const { reason } = await toldOf(bare)
    expect(reason).toBe('The container bare has no shell: neither bash nor sh was found in it.')
    await vi.waitFor(async () => expect(await rows()).toEqual([]), patient)
  })

  test('is refused to viewers, other workspaces and anonymous users', async () => {
    const strangers = await makeTeam(slipway.db)
    const tries = [
      [{}, 401],
      [bearer(team.viewer), 403],
      [bearer(strangers.owner), 404],
    ] as const
    for (const [headers, status] of tries)
      expect((await openSocket(terminalUrl(url, inside(cid)), headers)).refused?.status).toBe(status)
  })
})

describe('an open shell', () => {
  test('ends with a sentence when its container is removed or stopped', async () => {
    for (const [how, words] of [
      // Docker stops the container before it removes it.
      [['rm', '--force'], /^The container \S+ (was removed|stopped)\.$/],
      [['stop', '--time', '1'], /^The container \S+ stopped\.$/],
    ] as const) {
      const own = await runContainer(host)
      const terminal = await enter(own)
      terminal.type('echo ready-$((1 + 1))\r')
      await terminal.sees('ready-2')
      await docker(...how, own)
      expect(await terminal.message('end')).toMatchObject({
        reason: expect.stringMatching(words),
        lost: false,
      })
    }
  })

  test('in a container is possible while four are open on the server', async () => {
    const { workspace, admin } = await makeTeam(slipway.db)
    const own = await makeServer(slipway.ctx, workspace, host, { name: 'web-2' })
    for (let n = 0; n < 4; n++) await enterTerminal(url, own, admin.token)
    await enterTerminal(url, `${own}/containers/${cid}`, admin.token)
  })

  longTest('is lost when Docker restarts, and can be opened again', async () => {
    const lasting = await runContainer(host, { options: ['--restart', 'always'] })
    const terminal = await enter(lasting)
    terminal.type('echo ready-$((1 + 1))\r')
    await terminal.sees('ready-2')
    await host.killDockerd()
    const { reason, lost } = await terminal.message('end')
    expect([reason, lost]).toEqual([expect.stringMatching(/Docker|web-1/), true])
    await host.untilDockerAnswers()
    await vi.waitFor(async () => expect(await docker('ps')).toContain(lasting.slice(0, 12)), patient)
    const again = await enter(lasting)
    again.type('echo back-$((1 + 1))\r')
    await again.sees('back-2')
  })
})
