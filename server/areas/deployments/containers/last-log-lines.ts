import type { Docker } from '../../../remote/host.ts'
import { LineReader } from '../../logs/line-reader.ts'
import { readChunks } from '../../logs/log-source.ts'

const maxLineLength = 500

/** Reads the last log lines of a running or exited container. */
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
