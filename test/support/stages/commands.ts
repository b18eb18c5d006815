import { setTimeout as sleep } from 'node:timers/promises'
import { vi } from 'vitest'
import * as contract from '../../../contract/commands.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { TestSlipway } from './context.ts'
import { makeServer, makeTeam, type TestHost, unique } from '../factories/factories.ts'
import type { RigServer } from '../rig/server.ts'
import { openStream } from '../clients/streams.ts'

export type CommandStage = Awaited<ReturnType<typeof openCommandStage>>

/** A team with a server to run commands on. */
export async function openCommandStage(slipway: TestSlipway, host: RigServer & TestHost) {
  const team = await makeTeam(slipway.db)
  const server = await makeServer(slipway.ctx, team.workspace, host)
  const { token } = team.admin
  const named = (id: Id<'command'>) => ({ token, params: { id: server, command_id: id } })

  const run = (command: string, more: { timeout_seconds?: number; wait?: boolean } = {}) =>
    slipway.ok(contract.runCommand, { token, params: { id: server }, body: { command, ...more } })

  /** Starts a command without waiting. */
  const begin = async (command: string, more: { timeout_seconds?: number } = {}) =>
    (await run(command, { ...more, wait: false })).command.id

  const runIn = (cid: string, command: string, more: { timeout_seconds?: number; wait?: boolean } = {}) =>
    slipway.ok(contract.runContainerCommand, {
      token,
      params: { id: server, cid },
      body: { command, ...more },
    })

  const beginIn = async (cid: string, command: string, more: { timeout_seconds?: number } = {}) =>
    (await runIn(cid, command, { ...more, wait: false })).command.id

  const get = async (id: Id<'command'>) => (await slipway.ok(contract.getCommand, named(id))).command
  const cancel = async (id: Id<'command'>) => (await slipway.ok(contract.cancelCommand, named(id))).command

  const says = (id: Id<'command'>, text: string | RegExp) =>
    vi.waitFor(
      async () => {
        const { output } = await get(id)
        if (typeof text === 'string' ? output !== text : !text.test(output))
          throw new Error(`It says: ${output}`)
      },
      { interval: 50 },
    )

  const ended = (id: Id<'command'>, timeout = 120_000) =>
    vi.waitFor(
      async () => {
        const command = await get(id)
        if (command.status === 'running')
          throw new Error(`It still runs, and says: ${command.output.slice(-200)}`)
        return command
      },
      { timeout, interval: 50 },
    )

  const stream = async (id: Id<'command'>, headers: Record<string, string> = {}) =>
    openStream(`${await slipway.listen()}/v1/servers/${server}/commands/${id}/output`, {
      authorization: `Bearer ${token}`,
      ...headers,
    })

  return {
    slipway,
    host,
    team,
    server,
    token,
    named,
    run,
    begin,
    runIn,
    beginIn,
    get,
    cancel,
    says,
    ended,
    stream,
  }
}

/** Number of processes with this in their command line. */
export async function processesWith(host: RigServer, word: string): Promise<number> {
  const all = await host.exec(
    'sh',
    '-c',
    'for f in /proc/[0-9]*/cmdline; do tr "\\0" " " <$f; echo; done 2>/dev/null',
  )
  return all.split('\n').filter((line) => line.includes(word) && !line.includes('/proc/[0-9]')).length
}

/** Waits until no files of commands remain on the server. */
export async function untilSwept(host: RigServer, id = ''): Promise<void> {
  for (const end = Date.now() + 120_000; ; await sleep(50)) {
    const all = await host.exec('sh', '-c', 'ls /root/.slipway/work 2>/dev/null || true')
    const left = all.split('\n').filter((name) => name !== '' && name.startsWith(id))
    if (left.length === 0) return
    if (Date.now() > end) throw new Error(`There are still: ${left.join(', ')}`)
  }
}

/** Shell code that waits on the server until it is released. */
export function holdOn({ exec }: Pick<RigServer, 'exec'>) {
  const file = `/tmp/${unique('released')}`
  return { wait: `while [ ! -e ${file} ]; do sleep 0.05; done`, release: () => exec('touch', file) }
}
