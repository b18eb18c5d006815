import { command, type Command } from '../../../remote/command.ts'
import { TargetOutdated } from '../../../remote/errors.ts'
import type { Host } from '../../../remote/host.ts'
import { type ServerRow, updateIfSameVersion } from '../server.ts'
import {
  type SetupRun,
  startStep,
  retrySetupWhileUnreachable,
  SetUpFailed,
  readCurrentServer,
} from './setup-run.ts'
import { claimMachine } from '../claim-machine.ts'

export interface SetupTarget {
  ipv6: boolean
}

/** The timeout is short, because nothing has started yet. */
const CONNECT_LIMIT_MS = 15_000
/** Long enough for a reboot or a network outage during setup. */
export const UNREACHABLE_LIMIT_MS = 120_000
/** Megabytes that the script's own output may need. */
const LEAST_ROOM = 16

export async function connectForSetup(attempt: SetupRun): Promise<SetupTarget> {
  const begun = attempt.setup.step !== null && attempt.setup.step !== 'connect'
  if (!begun) await startStep(attempt, 'connect', `Connecting ${whereTo(await readCurrentServer(attempt))}`)
  return retrySetupWhileUnreachable(
    attempt,
    begun ? UNREACHABLE_LIMIT_MS : CONNECT_LIMIT_MS,
    async (host, server) => {
      await host.connect(attempt.run.signal)
      if (await keepShown(attempt, server, host)) throw new TargetOutdated()
      await mustBecomeRoot(host, server)
      await assertMachineFree(attempt, server, host)
      return lookAround(host)
    },
  )
}

async function keepShown({ ctx }: SetupRun, server: ServerRow, host: Host): Promise<boolean> {
  const shown = host.hostKey?.()
  if (shown === undefined || server.host_keys.length < 2) return false
  const changes = { host_keys: [shown], version: server.version + 1 }
  return (await updateIfSameVersion(ctx.db, server.workspace_id, server, changes)) !== undefined
}

/** Omits the address, because logs are shared. */
const whereTo = ({ kind, username }: ServerRow) =>
  kind === 'local' ? 'to the machine that Slipway runs on' : `as ${username}`

async function mustBecomeRoot(host: Host, { username: user }: ServerRow): Promise<void> {
  const { code, stdout, stderr } = await host.run({ ...command('id', '-u'), asRoot: true })
  if (code === 0 && stdout.trim() === '0') return
  const fix = `Allow ${user} to use sudo without a password by adding "${user} ALL=(ALL) NOPASSWD: ALL" to a file in /etc/sudoers.d, or log in as root; then set up again.`
  throw new SetUpFailed(
    code === 127 || /not found|no such file/i.test(stderr)
      ? `Setup requires root access, but ${user} is not root and sudo is not installed. Install sudo first. ${fix}`
      : `Setup requires root access, and ${user} cannot use sudo without a password. ${fix}`,
  )
}

/** Call before the script changes the machine, and again once the proxy exists. */
export async function assertMachineFree(
  { ctx, run }: SetupRun,
  server: ServerRow,
  host: Host,
): Promise<void> {
  const problem = await claimMachine(ctx, server, host, run.signal)
  if (problem !== undefined) throw new SetUpFailed(problem)
}

const probe: Command = command(
  'sh',
  '-c',
  `df -Pk "$HOME" | awk 'NR == 2 { print int($4 / 1024) }'; if [ -s /proc/net/if_inet6 ]; then echo ipv6; fi`,
)

async function lookAround(host: Host): Promise<SetupTarget> {
  const { stdout } = await host.run(probe)
  const [room = '', ipv6] = stdout.trim().split('\n')
  if (/^\d+$/.test(room) && Number(room) < LEAST_ROOM)
    throw new SetUpFailed(
      `The disk of the server is full: only ${room} MB is free. Free up space, then set up again.`,
    )
  return { ipv6: ipv6 === 'ipv6' }
}
