import type { Log } from '../../platform/log.ts'
import { type Command, encodeEnvironment, quoteForShell, runWithEnvironment, toArgv } from '../command.ts'
import { createDocker } from '../docker.ts'
import { openDockerSocket, diagnoseDocker } from '../docker/over-ssh.ts'
import { createFiles } from '../files.ts'
import type { Host, RunOptions, SshTarget, RemoteShell, TerminalSize } from '../host.ts'
import { toTextOutput, collectOutput, type RunningProcess } from '../process.ts'
import { dialPort, dialSocket } from './channel-socket.ts'
import { connectionLostError } from './ssh-errors.ts'
import { createSharedConnection } from './shared-connection.ts'
import { createSessions } from './sessions.ts'

export function createSshHost(target: SshTarget, log: Log): Host & { close(reason: Error): void } {
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
    cache: {},
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
      const release = keeper.acquire()
      const stop = link.onLost((reason) => {
        release()
        handler(reason)
      })
      return () => {
        stop()
        release()
      }
    },
    close(reason) {
      keeper.close(reason)
      docker.close()
    },
  }
}

type Open = ReturnType<typeof createSessions>['open']

async function startCommand(
  open: Open,
  user: string,
  command: Command,
  signal: AbortSignal | undefined,
): Promise<RunningProcess> {
  const words = toArgv(command, { isRoot: user === 'root' })
  const preamble = command.env && encodeEnvironment(command.env)
  const line = quoteForShell(preamble ? ['sh', '-c', runWithEnvironment, 'sh', ...words] : words)
  const session = await open((client, done) => client.exec(line, done), signal)
  const { channel } = session
  if (preamble) channel.write(preamble)
  const running: RunningProcess = {
    stdin: channel,
    stdout: channel,
    stderr: channel.stderr,
    ended: session.ended,
    release: () => session.release(),
    stop() {
      // Not every sshd forwards signals. Without that, the program only notices that the channel was closed.
      channel.signal('KILL')
      session.release()
    },
  }
  return running
}

async function openShell(open: Open, { cols, rows }: TerminalSize): Promise<RemoteShell> {
  const session = await open((client, done) => client.shell({ term: 'xterm-256color', cols, rows }, done))
  const { channel } = session
  return {
    output: channel,
    write: (data) => void channel.write(data),
    waiting: () => channel.writableLength,
    resize: (size) => channel.setWindow(size.rows, size.cols, 0, 0),
    pause: () => void channel.pause(),
    resume: () => void channel.resume(),
    ended: session.ended,
    close: () => session.release(),
  }
}
