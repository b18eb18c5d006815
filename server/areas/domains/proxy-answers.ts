import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { codeOf } from '../../platform/db.ts'
import { challengePath } from '../../remote/proxy/config.ts'

const PATIENCE = 4_000
const PORT = 80

/**
 * Asks as a certificate authority would, at one address: undefined when the answer is right, else what came instead,
 * as the end of a sentence.
 */
export async function askProxy(
  address: string,
  host: string,
  token: string,
  wanted: string,
): Promise<string | undefined> {
  try {
    const answer = await request(address, host, `${challengePath}${token}`)
    // Somebody else's answer may be of any length.
    answer.on('data', () => answer.socket.bytesRead > 100_000 && answer.destroy())
    const said = await text(answer)
    if (said.trim() === wanted) return undefined
    // Not what it says, nor how: the address may be one of an inner network, which is nobody's to look around in.
    return "something else than this server's proxy answers there"
  } catch (error) {
    return reasons[codeOf(error) ?? ''] ?? 'there is no answer'
  }
}

const request = (address: string, host: string, path: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const signal = AbortSignal.timeout(PATIENCE)
    get({ host: address, port: PORT, path, headers: { host }, signal, agent: false }, resolve).on(
      'error',
      reject,
    )
  })

const reasons: Record<string, string> = {
  ECONNREFUSED: 'the connection is refused',
  ECONNRESET: 'the connection is cut',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  ENOTFOUND: 'its name is not found',
  ABORT_ERR: 'there is no answer in time',
}
