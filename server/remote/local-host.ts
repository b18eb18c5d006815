import { spawn } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import { userInfo } from 'node:os'
import { type Command, encodeEnvironment, runWithEnvironment, toArgv } from './command.ts'
import { dockerUnavailableReasons } from './docker/over-ssh.ts'
import { createDocker } from './docker.ts'
import { DockerUnavailable } from './errors.ts'
import { createFiles } from './files.ts'
import type { ExitStatus, Host, LocalTarget, RemoteShell, RunOptions, TerminalSize } from './host.ts'
import { collectOutput, type RunningProcess, toTextOutput } from './process.ts'
import { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

/** A local host has no connection that could be lost. `close` ends everything that a lost connection would end. */
export function createLocalHost(target: LocalTarget): Host & { close(reason: Error): void } {
  const lifetime = createLifetime()
  const start = (command: Command): RunningProcess => {
    lifetime.check()
    const running = startLocal(command)
    // Detached processes are started here too and must continue, so the process is only released.
    return lifetime.bind(running, () => running.release())
  }
  const say = async (command: Command, options: RunOptions = {}) => collectOutput(start(command), options)
  let failure = ''
  const docker = createDocker({
    async open() {
      lifetime.check()
      return opened(connect(target.dockerSocket)).catch((error: NodeJS.ErrnoException) => {
        failure = error.code ?? ''
        throw error
      })
    },
    acquire: () => () => {},
    diagnose: async () => new DockerUnavailable(whyAway(failure)),
  })
  return {
    target,
    run: async (command, options) => toTextOutput(await say(command, options)),
    start: async (command) => start(command),
    async shell(size) {
      lifetime.check()
      const shell = await openLocalShell(size)
      return lifetime.bind(shell, () => shell.close())
    },
    async dial(address, port) {
      lifetime.check()
      return opened(connect(port, address))
    },
    async dialSocket(path) {
      lifetime.check()
      return opened(connect(path))
    },
    docker,
    files: createFiles(say),
    cache: {},
    connect: async () => lifetime.check(),
    onLost: (handler) => lifetime.onEnd(handler),
    close(reason) {
      lifetime.end(reason)
      docker.close()
    },
  }
}

const opened = (socket: Socket) =>
  new Promise<Socket>((resolve, reject) => {
    socket.once('connect', () => resolve(socket))
    socket.once('error', reject)
  })

function startLocal(command: Command): RunningProcess {
  const words = toArgv(command, { isRoot: userInfo().uid === 0 })
  const preamble = command.env && encodeEnvironment(command.env)
  // The program is started with sh, as over SSH, so that a missing program exits with 127.
  const child = spawn('sh', ['-c', preamble ? runWithEnvironment : 'exec "$@"', 'sh', ...words], {
    cwd: userInfo().homedir,
    env: cleanEnvironment(),
    // The process has a process group of its own, so that it can be stopped with its children.
    detached: true,
  })
  // A program that exits without reading its input must not cause an uncaught error.
  child.stdin.on('error', () => {})
  if (preamble) child.stdin.write(preamble)
  const ended = new Promise<ExitStatus>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
  ended.catch(() => {})
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    ended,
    release() {
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy()
      child.unref()
    },
    stop() {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      } catch {
        // The process has exited, or belongs to root.
      }
    },
  }
}

const whyAway = (code: string) =>
  (code === 'ENOENT' ? 'This machine has no Docker socket. Install or start Docker.' : undefined) ??
  (code === 'EACCES' ? dockerUnavailableReasons['denied'] : dockerUnavailableReasons['stopped'])

interface Lifetime {
  check(): void
  bind<T extends { ended: Promise<ExitStatus> }>(running: T, release: () => void): T
  onEnd(handler: (reason: Error) => void): () => void
  end(reason: Error): void
}

function createLifetime(): Lifetime {
  const handlers = new Set<(reason: Error) => void>()
  let over: Error | undefined
  return {
    check() {
      if (over) throw over
    },
    bind(running, release) {
      if (over) {
        release()
        throw over
      }
      const ended = new Promise<ExitStatus>((resolve, reject) => {
        const lose = (reason: Error) => {
          reject(reason)
          release()
        }
        handlers.add(lose)
        running.ended.then(resolve, reject).finally(() => handlers.delete(lose))
      })
      ended.catch(() => {})
      return { ...running, ended }
    },
    onEnd(handler) {
      const reason = over
      if (reason) queueMicrotask(() => handler(reason))
      else handlers.add(handler)
      return () => handlers.delete(handler)
    },
    end(reason) {
      over = reason
      for (const handler of handlers) handler(reason)
      handlers.clear()
    },
  }
}

/** Milliseconds in which a shell must react to SIGHUP. */
const hangUpTimeout = 2_000

/** Returns only login variables, because the environment of Slipway contains secrets. */
function cleanEnvironment(): Record<string, string> {
  const { username, homedir } = userInfo()
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: homedir,
    USER: username,
    LOGNAME: username,
    LANG: 'C.UTF-8',
  }
}

async function openLocalShell({ cols, rows }: TerminalSize): Promise<RemoteShell> {
  // The package is loaded on demand, because it is native code that most instances never need.
  const { spawn } = await import('@lydell/node-pty')
  const { homedir, shell } = userInfo()
  const terminal = spawn(shell || '/bin/sh', ['-l'], {
    name: 'xterm-256color',
    cols,
    rows,
    cwd: homedir,
    env: { ...cleanEnvironment(), SHELL: shell || '/bin/sh' },
    encoding: null,
  })
  const output = new Readable({ read: () => terminal.resume() })
  terminal.onData((data: string | Buffer) => {
    if (!output.push(data)) terminal.pause()
  })
  const ended = new Promise<ExitStatus>((resolve) => {
    terminal.onExit(({ exitCode, signal }) => {
      output.push(null)
      resolve(signal ? { code: null, signal: String(signal) } : { code: exitCode, signal: null })
    })
  })
  let open = true
  // A multi-byte character may be split across chunks.
  const typed = new StringDecoder('utf8')
  void ended.then(() => (open = false))
  return {
    output,
    write: (data) => void (open && terminal.write(typed.write(Buffer.from(data)))),
    waiting: () => 0,
    resize: (size) => void (open && terminal.resize(size.cols, size.rows)),
    pause: () => void output.pause(),
    resume: () => void output.resume(),
    ended,
    close() {
      if (!open) return
      terminal.kill()
      setTimeout(() => open && terminal.kill('SIGKILL'), hangUpTimeout).unref()
    },
  }
}
