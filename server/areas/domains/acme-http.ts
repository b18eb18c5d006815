import { readFile } from 'node:fs/promises'
import * as http from 'node:http'
import * as https from 'node:https'
import { text } from 'node:stream/consumers'
import { rootCertificates } from 'node:tls'
import type { axios } from 'acme-client'
import { z } from 'zod'
import type { Config } from '../../config.ts'
import { toSentence } from '../../errors.ts'
import { OrderPostponed, OrderRejected } from './order-errors.ts'

type Adapter = Extract<typeof axios.defaults.adapter, (...given: never[]) => unknown>
type AdapterConfig = Parameters<Adapter>[0]

const problem = z.object({ type: z.string().default(''), detail: z.string().optional() })

/**
 * HTTP adapter of the ACME library. The default adapter retries for as long as Retry-After says, up to hours, and
 * drops the error of failed connections.
 */
export function acmeAdapter(config: Pick<Config, 'ACME_CA_FILE' | 'OUTSIDE_TIMEOUT'>): Adapter {
  return async (asked) => {
    const answer = await ask(asked, config).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error)
      throw new OrderPostponed(
        `Could not reach the certificate authority at ${new URL(asked.url ?? '').host}: ${toSentence(reason)}`,
      )
    })
    const { statusCode: status = 0, statusMessage: statusText = '', headers } = answer
    const data = await text(answer)
    // The library retries bad nonces itself.
    const said = status >= 400 ? readProblem(data) : undefined
    if (said && !said.type.endsWith(':badNonce'))
      throw new OrderRejected(toSentence(said.detail ?? `Status ${status}`), {
        type: said.type,
        retryAfter: secondsOf(headers['retry-after']),
      })
    return { data, status, statusText, headers: plain(headers), config: asked }
  }
}

async function ask(asked: AdapterConfig, config: Pick<Config, 'ACME_CA_FILE' | 'OUTSIDE_TIMEOUT'>) {
  const url = new URL(asked.url ?? '')
  const ca = config.ACME_CA_FILE
    ? [...rootCertificates, await readFile(config.ACME_CA_FILE, 'utf8')]
    : undefined
  const signal = AbortSignal.timeout(config.OUTSIDE_TIMEOUT * 1000)
  const options = { method: asked.method?.toUpperCase(), headers: headersOf(asked), signal }
  const body: unknown = asked.data
  return new Promise<http.IncomingMessage>((resolve, reject) => {
    const request =
      url.protocol === 'http:' ? http.request(url, options) : https.request(url, { ...options, ca })
    request.on('response', resolve).on('error', reject)
    request.end(typeof body === 'string' ? body : undefined)
  })
}

const plain = (headers: http.IncomingHttpHeaders) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

const headersOf = ({ headers }: AdapterConfig) =>
  Object.fromEntries(Object.entries(headers.toJSON()).map(([name, value]) => [name, String(value)]))

function readProblem(data: string): z.infer<typeof problem> {
  try {
    return problem.parse(JSON.parse(data))
  } catch {
    return { type: '' }
  }
}

/** Longer values are treated as errors of the authority. */
const LONGEST = 30 * 86_400

/** Retry-After is a number of seconds or a date. */
function secondsOf(header: string | undefined): number {
  if (header === undefined) return 0
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(0, seconds), LONGEST) : 0
}
