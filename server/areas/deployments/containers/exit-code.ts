import { formatBytesExact } from '../../../../contract/shared/bytes.ts'
import { readJsonLines } from '../../../remote/docker.ts'
import type { Docker } from '../../../remote/host.ts'
import type { ContainerInspection } from '../../containers/docker-container.ts'
import { LineReader, readChunks } from '../../logs/line-reader.ts'

interface ContainerExit {
  code: number | null
  outOfMemory: boolean
}

export async function readExit(
  docker: Docker,
  { Id: id, State: state }: ContainerInspection,
): Promise<ContainerExit> {
  const now = { code: state.ExitCode, outOfMemory: state.OOMKilled }
  return state.Status === 'running' ? readLastExit(docker, id) : now
}

interface ExitEvent {
  Action: string
  Actor: { Attributes?: Record<string, string> | null }
}

/** Docker keeps only the last few hundred events. */
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
