import { setTimeout as sleep } from 'node:timers/promises'
import { DockerError, RemoteError } from '../errors.ts'
import type { Docker, ExitStatus, Host, RemoteShell, TerminalSize } from '../host.ts'
import { markVariable } from './container-command.ts'

/** Users know bash, so sh is only used where bash is missing. */
const bestShell = 'command -v bash >/dev/null 2>&1 && exec bash || exec sh'
/** Seconds after which an idle shell exits by itself, in case no process is left to end it. */
const maxIdleSeconds = 2_400

export class NoShell extends RemoteError {}

interface Exec {
  Running: boolean
  ExitCode: number | null
  Pid: number
}

/**
 * Opens a shell in a container. `close` only releases the shell, whose processes are ended by their mark. `ended`
 * rejects with the error of Docker.
 */
export async function execContainerShell(
  host: Host,
  container: string,
  mark: string,
  size: TerminalSize,
): Promise<RemoteShell> {
  const { docker } = host
  const { Id: id } = await docker.json<{ Id: string }>({
    method: 'POST',
    path: `/containers/${container}/exec`,
    body: {
      AttachStdin: true,
      AttachStdout: true,
      AttachStderr: true,
      Tty: true,
      Env: ['TERM=xterm-256color', `TMOUT=${maxIdleSeconds}`, `${markVariable}=${mark}`],
      Cmd: ['sh', '-c', bestShell],
    },
  })
  const path = `/exec/${id}/start`
  const socket = await docker.hijack({ method: 'POST', path, body: { Detach: false, Tty: true } })
  const stop = host.onLost((reason) => socket.destroy(reason))
  const ended = new Promise<ExitStatus>((resolve, reject) => {
    let failure: Error | undefined
    socket.once('error', (error) => (failure = error))
    socket.once('end', () => socket.destroy())
    socket.once('close', () => {
      stop()
      if (failure) reject(failure)
      else resolve(waitForExit(docker, id))
    })
  })
  ended.catch(() => {})
  try {
    await waitUntilRunning(docker, id, size)
  } catch (error) {
    socket.destroy()
    throw error
  }
  return {
    output: socket,
    write: (data) => void (socket.writable && socket.write(data)),
    waiting: () => socket.writableLength,
    resize: (to) => void resize(docker, id, to).catch(() => {}),
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    ended,
    close: () => void socket.destroy(),
  }
}

const resize = (docker: Docker, id: string, { cols, rows }: TerminalSize) =>
  docker.json({ method: 'POST', path: `/exec/${id}/resize?h=${rows}&w=${cols}` })

const pause = 50
const timeoutMs = 10_000

/** Waits until the shell exists: Docker responds earlier, and only an existing shell can be resized. */
async function waitUntilRunning(docker: Docker, id: string, size: TerminalSize): Promise<void> {
  for (const end = Date.now() + timeoutMs; ; await sleep(pause)) {
    try {
      return void (await resize(docker, id, size))
    } catch (error) {
      if (!(error instanceof DockerError)) throw error
      const { Running, ExitCode } = await inspect(docker, id)
      // Docker uses these exit codes when it could not start the shell.
      if (!Running && (ExitCode === 126 || ExitCode === 127)) throw new NoShell('The container has no shell.')
      // A shell that has exited may still have output, so this is not an error.
      if ((!Running && ExitCode !== null) || Date.now() > end) return
    }
  }
}

const inspect = (docker: Docker, id: string) => docker.json<Exec>({ path: `/exec/${id}/json` })

/** Waits for the exit code, because the output ends shortly before Docker reports the exit. */
async function waitForExit(docker: Docker, id: string): Promise<ExitStatus> {
  for (const end = Date.now() + timeoutMs; ; await sleep(pause)) {
    const { Running, ExitCode } = await inspect(docker, id)
    if (!Running || Date.now() > end) return { code: ExitCode, signal: null }
  }
}
