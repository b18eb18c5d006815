import { command, type Command } from '../command.ts'
import { DockerAway } from '../errors.ts'
import type { Output } from '../host.ts'
import { openChannel } from '../ssh/channel.ts'
import type { Keeper } from '../ssh/keeper.ts'
import type { ChannelSocket } from './channel-socket.ts'

const socketPath = '/var/run/docker.sock'

/** A channel to the engine's socket. */
export const openSocket = (keeper: Keeper): Promise<ChannelSocket> =>
  openChannel(keeper, (client, done) => client.openssh_forwardOutStreamLocal(socketPath, done))

const lookScript = `[ -S ${socketPath} ] || { command -v dockerd >/dev/null 2>&1 && echo stopped || echo missing; exit; }
[ -w ${socketPath} ] && echo there || echo denied`

/** sshd only says that it failed; a look at the socket tells why. */
export async function whyAway(run: (command: Command) => Promise<Output>): Promise<Error> {
  const { stdout } = await run(command('sh', '-c', lookScript))
  return new DockerAway(reasons[stdout.trim()] ?? reasons['stopped'])
}

export const reasons: Record<string, string> = {
  missing: 'Docker is not installed on this server. Set the server up, or install Docker there.',
  denied: 'This user may not use Docker on the server. Add the user to the group docker, or use root.',
  stopped: 'Docker does not answer on this server. Check that dockerd runs there, and start it.',
  there:
    'Docker does not answer on this server. Check that dockerd runs there, and that its sshd has AllowStreamLocalForwarding on.',
}
