import { command, type Command } from '../command.ts'
import { DockerUnavailable } from '../errors.ts'
import type { CommandOutput } from '../host.ts'
import { type ChannelSocket, openChannelSocket } from '../ssh/channel-socket.ts'
import type { SharedConnection } from '../ssh/shared-connection.ts'

const socketPath = '/var/run/docker.sock'

export const openDockerSocket = (keeper: SharedConnection): Promise<ChannelSocket> =>
  openChannelSocket(keeper, (client, done) => client.openssh_forwardOutStreamLocal(socketPath, done))

const lookScript = `[ -S ${socketPath} ] || { command -v dockerd >/dev/null 2>&1 && echo stopped || echo missing; exit; }
[ -w ${socketPath} ] && echo there || echo denied`

/** Checks the Docker socket, because sshd does not report why forwarding failed. */
export async function diagnoseDocker(run: (command: Command) => Promise<CommandOutput>): Promise<Error> {
  const { stdout } = await run(command('sh', '-c', lookScript))
  return new DockerUnavailable(dockerUnavailableReasons[stdout.trim()] ?? dockerUnavailableReasons['stopped'])
}

export const dockerUnavailableReasons: Record<string, string> = {
  missing: 'Docker is not installed on this server. Run setup, or install Docker.',
  denied: 'The SSH user cannot use Docker. Add the user to the docker group, or use root.',
  stopped: 'Docker is not responding on this server. Check that dockerd is running.',
  there:
    'Docker is not responding on this server. Check that dockerd is running and that sshd has AllowStreamLocalForwarding on.',
}
