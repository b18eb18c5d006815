import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { ConnectionLost } from '../errors.ts'

/** Parses events or pull progress line by line. Throws `ConnectionLost` when the stream breaks off. */
export async function* readJsonLines<T>(stream: Readable): AsyncGenerator<T> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  try {
    for await (const piece of stream) {
      const lines = (rest + decoder.write(piece)).split('\n')
      rest = lines.pop() ?? ''
      // The caller declares the type.
      for (const line of lines) if (line.trim() !== '') yield JSON.parse(line) as T
    }
  } catch {
    throw new ConnectionLost('Docker closed the connection in the middle of its response.')
  }
}
