import type { Log } from '../../platform/log.ts'
import type { Command } from '../command.ts'
import { createDocker } from '../docker/docker.ts'
import { openDockerSocket, diagnoseDocker } from '../docker/over-ssh.ts'
import { createFiles } from '../files.ts'
import type { Host, RunOptions, SshTarget } from '../host.ts'
import { toTextOutput, collectOutput } from '../process.ts'
import { dialPort, dialSocket } from './channel.ts'
import { startCommand, openShell } from './execute.ts'
import { connectionLostError } from './ssh-errors.ts'
import { createSharedConnection } from './shared-connection.ts'
import { createSessions } from './sessions.ts'

/** A machine over SSH. `close` ends its connection for good. */
export function createSshHost(target: SshTarget, log: Log): Host & { close(why: Error): void } {
  const keeper = createSharedConnection(target, log)
  const { open, crowded } = createSessions(keeper)
  const start = (command: Command, signal?: AbortSignal) => startCommand(open, target.user, command, signal)
  const say = async (command: Command, options: RunOptions = {}) =>
    collectOutput(await start(command, options.signal), options)
  const run = async (command: Command, options?: RunOptions) => toTextOutput(await say(command, options))
  const docker = createDocker({
    open: () => openDockerSocket(keeper),
    acquire: () => keeper.acquire(),
    diagnose: () => diagnoseDocker(run),
  })
  return {
    target,
    run,
    start: (command, options) => start(command, options?.signal),
    isCrowded: crowded,
    shell: (size) => openShell(open, size),
    dial: (address, port) => dialPort(keeper, address, port),
    dialSocket: (path) => dialSocket(keeper, path),
    docker,
    files: createFiles(say),
    hostKey: () => keeper.current()?.hostKey,
    address: () => keeper.current()?.address,
    async connect(signal) {
      await keeper.connection(signal)
    },
    onLost(handler) {
      const link = keeper.current()
      if (!link) {
        queueMicrotask(() => handler(connectionLostError()))
        return () => {}
      }
      const letGo = keeper.acquire()
      const stop = link.onLost((why) => {
        letGo()
        handler(why)
      })
      return () => {
        stop()
        letGo()
      }
    },
    close(why) {
      keeper.close(why)
      docker.close()
    },
  }
}
