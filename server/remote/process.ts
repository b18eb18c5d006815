import type { Readable } from 'node:stream'
import { TimedOut } from './errors.ts'
import type { Ended, Output, Process, RunOptions } from './host.ts'

/** One that can be stopped, as far as the machine lets us. */
export interface Running extends Process {
  stop(): void
}

/** What it said, untouched. */
export interface Said extends Ended {
  stdout: Buffer
  stderr: Buffer
}

export const asText = ({ code, signal, stdout, stderr }: Said): Output => ({
  code,
  signal,
  stdout: stdout.toString(),
  stderr: stderr.toString(),
})

/** Runs it to its end and keeps what it says. */
export async function collect(running: Running, options: RunOptions = {}): Promise<Said> {
  const { input, signal, timeout = 30_000, most = 1024 * 1024 } = options
  const stdout = keep(running.stdout, most)
  const stderr = keep(running.stderr, most)
  running.stdin.end(input)
  let limit: NodeJS.Timeout | undefined
  let leave: (() => void) | undefined
  const given = new Promise<never>((_, reject) => {
    limit = setTimeout(
      () => reject(new TimedOut(`The command took longer than ${timeout / 1_000} seconds.`)),
      timeout,
    )
    leave = () => reject(signal?.reason)
    if (signal?.aborted) leave()
    signal?.addEventListener('abort', leave, { once: true })
  })
  try {
    const ended = await Promise.race([running.ended, given])
    return { ...ended, stdout: stdout(), stderr: stderr() }
  } catch (error) {
    running.stop()
    throw error
  } finally {
    clearTimeout(limit)
    if (leave) signal?.removeEventListener('abort', leave)
  }
}

function keep(stream: Readable, most: number): () => Buffer {
  const pieces: Buffer[] = []
  let size = 0
  stream.on('data', (piece: Buffer) => {
    if (size < most) pieces.push(piece.subarray(0, most - size))
    size += piece.length
  })
  return () => Buffer.concat(pieces)
}
