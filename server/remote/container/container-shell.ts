import { setTimeout as sleep } from 'node:timers/promises'
import { DockerError, RemoteError } from '../errors.ts'
import type { Docker, ExitStatus, Host, RemoteShell, TerminalSize } from '../host.ts'
import { markVariable } from './kill-marked.ts'

/** bash where there is one: it is the one that people know. */
const bestShell = 'command -v bash >/dev/null 2>&1 && exec bash || exec sh'
/** Seconds after which a shell that waits for input ends by itself: for one that nobody was there to end any more. */
const longestIdle = 2_400

/** There is no shell to be had in the container. */
export class NoShell extends RemoteError {}

interface Exec {
  Running: boolean
  ExitCode: number | null
  Pid: number
}

/**
 * A shell in a container. Closing it only lets go of it: it, and what it began, is ended by its mark. What it ended with
 * is known when Docker says so; when Docker does not know any more, its refusal is what `ended` fails with.
 */
export async function openContainerShell(
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
      Env: ['TERM=xterm-256color', `TMOUT=${longestIdle}`, `${markVariable}=${mark}`],
      Cmd: ['sh', '-c', bestShell],
    },
  })
  const path = `/exec/${id}/start`
  const socket = await docker.hijack({ method: 'POST', path, body: { Detach: false, Tty: true } })
  const stop = host.onLost((why) => socket.destroy(why))
  const ended = new Promise<ExitStatus>((resolve, reject) => {
    let failure: Error | undefined
    socket.once('error', (error) => (failure = error))
    // What is still to be read comes before that.
    socket.once('end', () => socket.destroy())
    socket.once('close', () => {
      stop()
      if (failure) reject(failure)
      else resolve(endOf(docker, id))
    })
  })
  ended.catch(() => {})
  try {
    await untilItRuns(docker, id, size)
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
const patience = 10_000

/** Docker answers before there is anything to talk to, and only a shell that is there can be given a size. */
async function untilItRuns(docker: Docker, id: string, size: TerminalSize): Promise<void> {
  for (const end = Date.now() + patience; ; await sleep(pause)) {
    try {
      return void (await resize(docker, id, size))
    } catch (error) {
      if (!(error instanceof DockerError)) throw error
      const { Running, ExitCode } = await inspect(docker, id)
      // Docker's own, when it could not begin it: nothing else has run yet that would end with one of these.
      if (!Running && (ExitCode === 126 || ExitCode === 127)) throw new NoShell('The container has no shell.')
      // One that has ended by now has something to say all the same.
      if ((!Running && ExitCode !== null) || Date.now() > end) return
    }
  }
}

const inspect = (docker: Docker, id: string) => docker.json<Exec>({ path: `/exec/${id}/json` })

/** Its last words come a little before the news of its end. */
async function endOf(docker: Docker, id: string): Promise<ExitStatus> {
  for (const end = Date.now() + patience; ; await sleep(pause)) {
    const { Running, ExitCode } = await inspect(docker, id)
    if (!Running || Date.now() > end) return { code: ExitCode, signal: null }
  }
}
