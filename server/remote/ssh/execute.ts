import { type Command, quoteForShell, toArgv } from '../command.ts'
import { encodeEnvironment, runWithEnvironment } from '../environment.ts'
import type { RemoteShell, TerminalSize } from '../host.ts'
import type { RunningProcess } from '../process.ts'
import type { createSessions } from './sessions.ts'

type Open = ReturnType<typeof createSessions>['open']

export async function startCommand(
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
      // Not every sshd passes it on; then the closed channel is all the program notices.
      channel.signal('KILL')
      session.release()
    },
  }
  return running
}

export async function openShell(open: Open, { cols, rows }: TerminalSize): Promise<RemoteShell> {
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
