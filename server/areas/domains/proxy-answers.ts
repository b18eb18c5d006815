import { randomBytes } from 'node:crypto'
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Context } from '../../context.ts'
import { codeOf } from '../../platform/db.ts'
import { acmeThumbprint } from './acme-account.ts'

const PATIENCE = 4_000
const PORT = 80

/**
 * Asks as a certificate authority would, at one address: undefined when the answer is right, else what came instead,
 * as the end of a sentence.
 */
export async function askProxy(ctx: Context, address: string, host: string): Promise<string | undefined> {
  const token = `slipway-${randomBytes(12).toString('hex')}`
  const wanted = `${token}.${await acmeThumbprint(ctx)}`
  try {
    const answer = await request(address, host, `/.well-known/acme-challenge/${token}`)
    // Somebody else's answer may be of any length.
    answer.on('data', () => answer.socket.bytesRead > 100_000 && answer.destroy())
    const said = await text(answer)
    if (said.trim() === wanted) return undefined
    // Not what it says, nor how: the address may be one of an inner network, which is nobody's to look around in.
    return "something else than Slipway's proxy answers there"
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
