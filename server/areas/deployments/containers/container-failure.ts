import { formatBytesExact } from '../../../../contract/shared/bytes.ts'
import { readJsonLines } from '../../../remote/docker.ts'
import type { Docker, Host } from '../../../remote/host.ts'
import type { ContainerInspection } from '../../containers/docker-container.ts'
import { LineReader, readChunks } from '../../logs/line-reader.ts'
import type { ReleaseConfig } from '../../../tables.ts'
import { command } from '../../../remote/command.ts'

interface FailedContainer {
  container: string
  server: string
  config: Pick<ReleaseConfig, 'command' | 'cpu_limit' | 'memory_limit'>
}

export function startFailureMessage(message: string, failed: FailedContainer): string {
  const reason = reasons.find(({ when }) => when.test(message))?.why(failed, message)
  return `Container ${failed.container} could not be started${reason ? `: ${reason}` : '.'}`
}

const reasons: { when: RegExp; why: (failed: FailedContainer, message: string) => string }[] = [
  // `failureMessage` turns this into the disk full message.
  { when: /no space left on device/i, why: () => 'no space left on device.' },
  {
    when: /executable file not found|exec: .*no such file or directory/i,
    why: ({ config: { command } }) =>
      command
        ? `the image has no executable ${quote(command[0])}. Check the command in the settings; it does not run in a shell.`
        : 'the executable of the image was not found. Set a command in the settings, or choose another image.',
  },
  {
    when: /exec: .*permission denied/i,
    why: ({ config: { command } }) =>
      `${command ? quote(command[0]) : 'the entrypoint of the image'} is not executable. Check the command in the settings.`,
  },
  {
    when: /exec format error/i,
    why: () =>
      'the executable is built for another CPU architecture, or is not a program. Choose another image, or change the command in the settings.',
  },
  {
    when: /no command specified/i,
    why: () => 'the image has no default command. Set a command in the settings.',
  },
  {
    when: /range of CPUs is from/i,
    why: ({ config: { cpu_limit }, server }, message) =>
      `the CPU limit is ${cpu_limit}, but ${server} has ${/only ([\d.]+) CPUs/.exec(message)?.[1] ?? 'fewer'} cores. Lower the limit in the settings.`,
  },
  {
    when: /memory limit/i,
    why: ({ config: { memory_limit } }) =>
      `Docker rejected the memory limit${memory_limit === null ? '' : ` of ${formatBytesExact(memory_limit)}`}. Change it in the settings.`,
  },
  {
    when: /mount|bind source path/i,
    why: ({ server }) =>
      `a volume cannot be mounted. Check the volumes in the settings: each folder must exist on ${server} unless Docker can create it, and a file can only be mounted over a file.`,
  },
]

const quote = (word: string | undefined) => `“${word ?? ''}”`

interface ContainerExit {
  code: number | null
  outOfMemory: boolean
}

export async function readExit(
  docker: Docker,
  { Id: id, State: state }: ContainerInspection,
): Promise<ContainerExit> {
  if (state.Status === 'running') return readLastExit(docker, id)
  const isKilled = state.ExitCode === killed && !state.OOMKilled
  // The state lacks the flag if Docker learned of the exit before it learned that memory was the reason.
  const outOfMemory = isKilled ? (await readLastExit(docker, id)).outOfMemory : state.OOMKilled
  return { code: state.ExitCode, outOfMemory }
}

/** 128 + SIGKILL. */
const killed = 137

interface ExitEvent {
  Action: string
  Actor: { Attributes?: Record<string, string> | null }
}

/** A longer period would find no more, because Docker keeps only the last few hundred events. */
const secondsBack = 900

async function readLastExit(docker: Docker, container: string): Promise<ContainerExit> {
  // Docker expects times of the server clock.
  const { SystemTime } = await docker.json<{ SystemTime: string }>({ path: '/info' })
  const now = Date.parse(SystemTime) / 1_000
  const filters = JSON.stringify({ container: [container], event: ['die', 'oom'] })
  const [since, until] = [now - secondsBack, now].map((seconds) => seconds.toFixed(3))
  const query = new URLSearchParams({ since: since ?? '', until: until ?? '', filters })
  const ending: ContainerExit = { code: null, outOfMemory: false }
  const events = await docker.stream({ path: `/events?${query.toString()}` })
  for await (const { Action: action, Actor: actor } of readJsonLines<ExitEvent>(events)) {
    if (action === 'oom') ending.outOfMemory = true
    const code = actor.Attributes?.['exitCode']
    if (action === 'die' && code !== undefined) ending.code = Number(code)
  }
  return ending
}

export function exitMessage(container: string, ending: ContainerExit, limit: number | null): string {
  if (ending.outOfMemory)
    return limit === null
      ? `Container ${container} ran out of memory: the server has no free memory.`
      : `Container ${container} ran out of memory (limit ${formatBytesExact(limit)}).`
  return ending.code === null
    ? `Container ${container} exited.`
    : `Container ${container} exited with code ${ending.code}.`
}

const maxLineLength = 500

export async function readLastLogLines(
  docker: Docker,
  container: { id: string; tty: boolean },
  count: number,
  signal?: AbortSignal,
  longest = maxLineLength,
): Promise<string[]> {
  const query = new URLSearchParams({ stdout: '1', stderr: '1', timestamps: '1', tail: String(count) })
  const path = `/containers/${container.id}/logs?${query.toString()}`
  const reader = new LineReader(container.tty)
  let text = ''
  for await (const chunk of readChunks(await docker.stream({ path, signal })))
    text += reader.read(chunk).text(false)
  const lines = (text + reader.end(true).text(false)).split('\n').slice(0, -1)
  return lines.slice(-count).map((line) => line.slice(0, longest).replaceAll('\0', '\u{fffd}'))
}

interface ListeningPort {
  port: number
  isLoopbackOnly: boolean
}

/** Reads the kernel tables, which needs no privileges. Returns an empty list if the process is gone. */
export async function readListening(host: Host, pid: number, signal: AbortSignal): Promise<ListeningPort[]> {
  const paths = ['tcp', 'tcp6'].map((name) => `/proc/${pid}/net/${name}`)
  return parseListening(
    (await host.run(command('cat', ...paths), { signal, maxBytes: maxTableBytes })).stdout,
  )
}

/** The limit is large, because closed connections stay listed for a minute. */
const maxTableBytes = 16 * 1024 * 1024

/** Skips the DNS resolver of Docker, which listens on a loopback address in each container. */
export function parseListening(tables: string): ListeningPort[] {
  const sockets = [...tables.matchAll(/^ *\d+: ([0-9A-F]+):([0-9A-F]{4}) \S+ 0A /gm)].map(
    ([, address = '', port = '']) => ({ port: Number.parseInt(port, 16), address }),
  )
  const own = sockets.filter(({ address }) => address !== dockerResolver)
  const ports = [...new Set(own.map(({ port }) => port))]
  return ports.map((port) => ({
    port,
    isLoopbackOnly: own.every((listener) => listener.port !== port || isLoopback(listener.address)),
  }))
}

/** 127.0.0.11 in kernel notation. */
const dockerResolver = '0B00007F'
const isLoopback = (address: string) =>
  /^.{6}7F$/.test(address) || address === '00000000000000000000000001000000'

export function listeningAdvice(listening: ListeningPort[], wanted: number): string | undefined {
  const here = listening.find(({ port }) => port === wanted)
  if (here?.isLoopbackOnly)
    return `The application listens on 127.0.0.1:${wanted} only. Make it listen on 0.0.0.0:${wanted}.`
  if (here) return undefined
  const others = listening.filter(({ isLoopbackOnly }) => !isLoopbackOnly).map(({ port }) => port)
  if (others.length === 0)
    return `Nothing listens on that port. Make sure the application listens on 0.0.0.0:${wanted}, or change the port.`
  const words = others.length === 1 ? `port ${others[0]}` : `ports ${others.join(', ')}`
  return `The application listens on ${words}, not on ${wanted}.`
}
