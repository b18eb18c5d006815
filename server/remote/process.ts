import type { Readable } from 'node:stream'
import { RemoteTimeout } from './errors.ts'
import type { ExitStatus, CommandOutput, RemoteProcess, RunOptions } from './host.ts'

export interface RunningProcess extends RemoteProcess {
  stop(): void
}

export interface RawOutput extends ExitStatus {
  stdout: Buffer
  stderr: Buffer
}

export const toTextOutput = ({ code, signal, stdout, stderr }: RawOutput): CommandOutput => ({
  code,
  signal,
  stdout: stdout.toString(),
  stderr: stderr.toString(),
})

export async function collectOutput(running: RunningProcess, options: RunOptions = {}): Promise<RawOutput> {
  const { input, signal, timeout = 30_000, maxBytes: most = 1024 * 1024 } = options
  const stdout = keep(running.stdout, most)
  const stderr = keep(running.stderr, most)
  running.stdin.end(input)
  let limit: NodeJS.Timeout | undefined
  let leave: (() => void) | undefined
  const interrupted = new Promise<never>((_, reject) => {
    limit = setTimeout(
      () => reject(new RemoteTimeout(`The command took longer than ${timeout / 1_000} seconds.`)),
      timeout,
    )
    leave = () => reject(signal?.reason)
    if (signal?.aborted) leave()
    signal?.addEventListener('abort', leave, { once: true })
  })
  try {
    const ended = await Promise.race([running.ended, interrupted])
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
