import type { Docker } from '../../../remote/host.ts'
import { LineReader } from '../../logs/line-reader.ts'
import { chunksOf } from '../../logs/source.ts'

/** As much of a line as a person reads in an error. */
const usual = 500

/** The last lines that a container said, whether it runs or not. */
export async function lastWords(
  docker: Docker,
  container: { id: string; tty: boolean },
  count: number,
  signal?: AbortSignal,
  longest = usual,
): Promise<string[]> {
  const query = new URLSearchParams({ stdout: '1', stderr: '1', timestamps: '1', tail: String(count) })
  const path = `/containers/${container.id}/logs?${query.toString()}`
  const reader = new LineReader(container.tty)
  let text = ''
  for await (const chunk of chunksOf(await docker.stream({ path, signal })))
    text += reader.read(chunk).text(false)
  const lines = (text + reader.end(true).text(false)).split('\n').slice(0, -1)
  return lines.slice(-count).map((line) => line.slice(0, longest).replaceAll('\0', '\u{fffd}'))
}
