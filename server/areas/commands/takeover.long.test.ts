import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import * as contract from '../../../contract/commands.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { processesWith, untilSwept } from '../../../test/support/stages/commands.ts'
import { runContainer } from '../../../test/support/stages/containers.ts'
import { createTestDatabase } from '../../../test/support/run/database.ts'
import { makeServer, makeTeam } from '../../../test/support/factories/factories.ts'
import { ask, type SlipwayProcess, startOn } from '../../../test/support/programs/slipway-process.ts'
import { takeHost } from '../../../test/support/stages/take-host.ts'
import { createSecrets } from '../../platform/secrets.ts'

const host = await takeHost()
const database = await createTestDatabase()
const key = randomBytes(32)
const { workspace, admin } = await makeTeam(database.db)
const server = await makeServer({ db: database.db, secrets: createSecrets([key]) }, workspace, host)
afterAll(() => database.drop())

const start = (role?: 'all' | 'web' | 'worker') => startOn(database, key, role)
const path = `/v1/servers/${server}/commands`

async function begin({ url }: SlipwayProcess, command: string, wait = false): Promise<Id<'command'>> {
  const { text } = await ask(url, `/v1/servers/${server}/command`, admin.token, { command, wait })
  return contract.runCommand.reply.parse(JSON.parse(text)).command.id
}

const command = async ({ url }: SlipwayProcess, id: Id<'command'>) =>
  contract.getCommand.reply.parse(JSON.parse((await ask(url, `${path}/${id}`, admin.token)).text)).command

const says = (slipway: SlipwayProcess, id: Id<'command'>, words: RegExp) =>
  vi.waitFor(async () => expect((await command(slipway, id)).output).toMatch(words), { timeout: 60_000 })

const ended = (slipway: SlipwayProcess, id: Id<'command'>) =>
  vi.waitFor(
    async () => {
      const found = await command(slipway, id)
      expect(found.status).not.toBe('running')
      return found
    },
    { interval: 100 },
  )

const numbers = Array.from({ length: 200 }, (_, index) => `${index + 1}\n`).join('')
const counting = 'n=0; while [ $n -lt 200 ]; do n=$((n + 1)); echo $n; sleep 0.05; done; exit 7'

describe('when the following process', () => {
  test('is killed, the next one continues and finds all output, on the server and in a container', async () => {
    const cid = await runContainer(host)
    const first = await start()
    const here = await begin(first, counting)
    const inside = `/v1/servers/${server}/containers/${cid}/command`
    const { text } = await ask(first.url, inside, admin.token, { command: counting, wait: false })
    const there = contract.runContainerCommand.reply.parse(JSON.parse(text)).command.id
    const short = await begin(first, 'echo one; sleep 1; echo two; echo three >&2; exit 5')
    await says(first, here, /\n20\n/)
    await says(first, there, /\n20\n/)
    await says(first, short, /one/)
    await first.end('SIGKILL')
    await vi.waitFor(async () => expect(await processesWith(host, 'echo three')).toBe(0), { timeout: 60_000 })
    const second = await start()
    // No line is lost or repeated.
    const counted = { status: 'completed', exit_code: 7, output: numbers }
    expect(await ended(second, here)).toMatchObject({ ...counted, container_id: null })
    expect(await ended(second, there)).toMatchObject({ ...counted, container_id: cid })
    const all = 'one\ntwo\n--- stderr ---\nthree\n'
    expect(await ended(second, short)).toMatchObject({ status: 'completed', exit_code: 5, output: all })
    await untilSwept(host, here)
  }, 240_000)

  test('is shut down, waiting requests are answered and another process continues immediately', async () => {
    const [first, second] = [await start(), await start()]
    const waiting = ask(first.url, `/v1/servers/${server}/command`, admin.token, { command: counting })
    const id = await vi.waitFor(
      async () => {
        const { text: list } = await ask(second.url, `${path}?limit=1`, admin.token)
        const [newest] = contract.listCommands.reply.parse(JSON.parse(list)).commands
        if (newest?.status !== 'running') throw new Error('It has not begun.')
        return newest.id
      },
      { timeout: 60_000 },
    )
    await says(first, id, /\n3\n/)
    expect(await first.end('SIGTERM')).toBe(0)
    const { status, text } = await waiting
    expect([status, JSON.parse(text)]).toMatchObject([503, { code: 'command_goes_on' }])
    expect(await ended(second, id)).toMatchObject({ status: 'completed', output: numbers })
  }, 120_000)
})

test('cancels a command after its server was unreachable and the requested process was killed', async () => {
  const first = await start()
  const id = await begin(first, 'echo begun; sleep 4323')
  await says(first, id, /begun/)
  await host.cut()
  onTestFinished(() => host.plug())
  const { status, text } = await ask(first.url, `${path}/${id}/cancel`, admin.token, {})
  expect(status).toBe(200)
  expect(contract.cancelCommand.reply.parse(JSON.parse(text)).command).toMatchObject({ status: 'running' })
  await first.end('SIGKILL')
  const second = await start()
  await host.plug()
  expect(await ended(second, id)).toMatchObject({ status: 'cancelled', error: null, output: 'begun\n' })
  expect(await processesWith(host, 'sleep 4323')).toBe(0)
}, 120_000)

test('shows and cancels commands of another process', async () => {
  const [first, second] = [await start('web'), await start('web')]
  const id = await begin(first, 'echo begun; sleep 300')
  await says(second, id, /begun/)
  const { status, text } = await ask(second.url, `${path}/${id}/cancel`, admin.token, {})
  expect(status).toBe(200)
  expect(contract.cancelCommand.reply.parse(JSON.parse(text)).command).toMatchObject({
    status: 'cancelled',
    output: 'begun\n',
  })
  expect(await command(first, id)).toMatchObject({ status: 'cancelled' })
}, 120_000)

test('removes files that a killed process left on the server', async () => {
  const first = await start('web')
  const id = await begin(first, 'echo left', true)
  await first.end('SIGKILL')
  // Simulates a crash between the end and the cleanup.
  await host.exec('sh', '-c', `mkdir -p /root/.slipway/work && touch /root/.slipway/work/${id}.state`)
  await database.db
    .updateTable('commands')
    .set({ follower: 'gone', finished_at: new Date(Date.now() - 600_000) })
    .where('id', '=', id)
    .execute()
  await database.db.updateTable('schedules').set({ due_at: new Date() }).execute()
  await start('worker')
  await untilSwept(host, id)
  await vi.waitFor(
    async () => {
      const row = await database.db
        .selectFrom('commands')
        .select('follower')
        .where('id', '=', id)
        .executeTakeFirst()
      expect(row).toEqual({ follower: null })
    },
    { timeout: 60_000 },
  )
}, 120_000)
