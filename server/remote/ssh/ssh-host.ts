import type { Log } from '../../platform/log.ts'
import type { Command } from '../command.ts'
import { createDocker } from '../docker/docker.ts'
import { openSocket, whyAway } from '../docker/over-ssh.ts'
import { createFiles } from '../files.ts'
import type { Host, RunOptions, SshTarget } from '../host.ts'
import { asText, collect } from '../process.ts'
import { dial, dialSocket } from './channel.ts'
import { execute, openShell } from './execute.ts'
import { lost } from './failures.ts'
import { createKeeper } from './keeper.ts'
import { createSessions } from './sessions.ts'

/** A machine over SSH. `close` ends its connection for good. */
export function createSshHost(target: SshTarget, log: Log): Host & { close(why: Error): void } {
  const keeper = createKeeper(target, log)
  const { open, crowded } = createSessions(keeper)
  const start = (command: Command, signal?: AbortSignal) => execute(open, target.user, command, signal)
  const say = async (command: Command, options: RunOptions = {}) =>
    collect(await start(command, options.signal), options)
  const run = async (command: Command, options?: RunOptions) => asText(await say(command, options))
  const docker = createDocker({
    open: () => openSocket(keeper),
    hold: () => keeper.hold(),
    why: () => whyAway(run),
  })
  return {
    target,
    run,
    start: (command, options) => start(command, options?.signal),
    crowded,
    shell: (size) => openShell(open, size),
    dial: (address, port) => dial(keeper, address, port),
    dialSocket: (path) => dialSocket(keeper, path),
    docker,
    files: createFiles(say),
    hostKey: () => keeper.current()?.hostKey,
    address: () => keeper.current()?.address,
    async connect(signal) {
      await keeper.link(signal)
    },
    onLost(handler) {
      const link = keeper.current()
      if (!link) {
        queueMicrotask(() => handler(lost()))
        return () => {}
      }
      const letGo = keeper.hold()
      const stop = link.onGone((why) => {
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
