import type { IncomingMessage } from 'node:http'
import { formatBytesExact } from '../../../contract/shared/bytes.ts'
import { ConnectionLost, DockerError, RemoteError, RemoteTimeout } from '../errors.ts'

const maxErrorBytes = 64 * 1024

export const isAccepted = ({ statusCode = 500 }: IncomingMessage) => statusCode < 400

export async function readResponse<T>(reply: IncomingMessage, maxBytes: number, timeout: number): Promise<T> {
  if (!isAccepted(reply)) throw await readError(reply, timeout)
  const text = await readText(reply, maxBytes, timeout)
  // The assertion is the responsibility of the caller, who declares the type that Docker documents.
  return (text === '' ? undefined : JSON.parse(text)) as T
}

export const readError = async (reply: IncomingMessage, timeout: number): Promise<DockerError> =>
  new DockerError(reply.statusCode ?? 500, errorMessage(await readText(reply, maxErrorBytes, timeout)))

export const timeoutError = (timeout: number) =>
  new RemoteTimeout(`Docker did not respond within ${timeout / 1_000} seconds.`)

/** Limits size and time, because a malicious server may send an endless body, or stop sending without ending it. */
async function readText(reply: IncomingMessage, maxBytes: number, timeout: number): Promise<string> {
  const body: AsyncIterable<Buffer> = reply
  const chunks: Buffer[] = []
  let size = 0
  const late = setTimeout(() => reply.destroy(timeoutError(timeout)), timeout)
  try {
    for await (const chunk of body) {
      size += chunk.length
      // Leaving the loop closes the connection.
      if (size > maxBytes)
        throw new RemoteError(`Docker sent a response of more than ${formatBytesExact(maxBytes)}.`)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks).toString()
  } catch (error) {
    if (error instanceof RemoteError) throw error
    throw new ConnectionLost('Docker closed the connection in the middle of its response.')
  } finally {
    clearTimeout(late)
  }
}

function errorMessage(text: string): string {
  try {
    const { message } = { message: undefined, ...JSON.parse(text) }
    return typeof message === 'string' && message ? message : text
  } catch {
    return text.trim() || 'Docker rejected the request without giving a reason.'
  }
}
