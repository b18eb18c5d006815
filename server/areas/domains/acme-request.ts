import * as acme from 'acme-client'
import type { axios } from 'acme-client'
import type { Context } from '../../context.ts'
import { toSentence } from '../../errors.ts'
import { getSettings } from '../../settings.ts'
import type { ServeChallenge } from './challenges.ts'
import { type CertificatePair, readCertificatePair } from './certificate-pair.ts'
import { OrderPostponed, OrderRejected } from './order-errors.ts'
import { generateKeyPairSync } from 'node:crypto'
import * as http from 'node:http'
import * as https from 'node:https'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { readTrustedAuthorities } from '../../platform/net/trusted-authorities.ts'
import type { Config } from '../../config.ts'

export async function requestAcmeCertificate(
  ctx: Context,
  host: string,
  serveChallenge: ServeChallenge,
  signal: AbortSignal,
): Promise<CertificatePair> {
  const { acmeUrl } = await getSettings(ctx)
  // The library configures its HTTP client per process.
  acme.axios.defaults.adapter = acmeAdapter(ctx.config)
  const client = new acme.Client({
    directoryUrl: acmeUrl,
    accountKey: await readAccountKey(ctx),
    // Sixteen attempts poll the order for about a minute.
    backoffAttempts: 16,
    backoffMin: 300,
    backoffMax: 5_000,
  })
  try {
    await logIn(ctx, client)
    signal.throwIfAborted()
    const order = await client.createOrder({ identifiers: [{ type: 'dns', value: host }] })
    const authorizations = await prove(client, order, serveChallenge)
    signal.throwIfAborted()
    const key = newKey()
    const [, csr] = await acme.crypto.createCsr({ commonName: host, altNames: [host] }, key)
    const pair = readCertificatePair(await client.getCertificate(await client.finalizeOrder(order, csr)), key)
    await deactivate(ctx, client, authorizations)
    return pair
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof OrderPostponed || error instanceof OrderRejected) throw error
    // The ACME library reports failed challenges and orders as plain errors, so their text is the reason.
    throw new OrderRejected(toSentence(error instanceof Error ? error.message : String(error)))
  }
}

/** Looks up a known account instead of creating it: the library would update it. */
async function logIn({ config }: Context, client: acme.Client): Promise<void> {
  try {
    await client.createAccount({ onlyReturnExisting: true })
  } catch (error) {
    if (!(error instanceof OrderRejected && error.type.endsWith(':accountDoesNotExist'))) throw error
    const contact = config.ACME_EMAIL ? { contact: [`mailto:${config.ACME_EMAIL}`] } : {}
    await client.createAccount({ termsOfServiceAgreed: true, ...contact })
  }
}

async function prove(
  client: acme.Client,
  order: acme.Order,
  serveChallenge: ServeChallenge,
): Promise<acme.Authorization[]> {
  const authorizations = await client.getAuthorizations(order)
  for (const authorization of authorizations) {
    if (authorization.status === 'valid') continue
    const challenge = authorization.challenges.find(({ type }) => type === 'http-01')
    if (!challenge) throw new OrderRejected('The certificate authority does not offer HTTP-01 challenges.')
    if (challenge.status === 'pending') {
      await serveChallenge(challenge.token, await client.getChallengeKeyAuthorization(challenge))
      await client.completeChallenge(challenge)
    }
    await client.waitForValidStatus(challenge)
  }
  return authorizations
}

/** Valid authorizations last for weeks: a later holder of the name could get a certificate without a challenge. */
async function deactivate(ctx: Context, client: acme.Client, authorizations: acme.Authorization[]) {
  for (const authorization of authorizations) {
    try {
      await client.deactivateAuthorization(authorization)
    } catch (error) {
      ctx.log.warn(
        { reason: String(error) },
        'Failed to deactivate an ACME authorization, which expires on its own',
      )
    }
  }
}

type Needed = Pick<Context, 'db' | 'secrets' | 'config' | 'settingsCache'>

export async function readAccountKey(ctx: Needed): Promise<string> {
  const { db, secrets } = ctx
  const directory = (await getSettings(ctx)).acmeUrl
  const find = () =>
    db.selectFrom('acme_accounts').select('key_sealed').where('directory', '=', directory).executeTakeFirst()
  const place = `acme_accounts.key_sealed:${directory}`
  const response = await find()
  if (response) return secrets.open(place, response.key_sealed)
  await db
    .insertInto('acme_accounts')
    .values({ directory, key_sealed: secrets.seal(place, newKey()) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const made = await find()
  if (!made) throw new Error('The ACME account key is missing.')
  return secrets.open(place, made.key_sealed)
}

/** Uses P-256, which every certificate authority supports. */
const newKey = () =>
  generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey

type Adapter = Extract<typeof axios.defaults.adapter, (...given: never[]) => unknown>
type AdapterConfig = Parameters<Adapter>[0]

const problem = z.object({ type: z.string().default(''), detail: z.string().optional() })

/**
 * HTTP adapter of the ACME library. The default adapter retries for as long as Retry-After says, up to hours, and
 * drops the error of failed connections.
 */
function acmeAdapter(config: Pick<Config, 'ACME_CA_FILE' | 'OUTSIDE_TIMEOUT'>): Adapter {
  return async (request) => {
    const answer = await ask(request, config).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error)
      throw new OrderPostponed(
        `Could not reach the certificate authority at ${new URL(request.url ?? '').host}: ${toSentence(reason)}`,
      )
    })
    const { statusCode: status = 0, statusMessage: statusText = '', headers } = answer
    const data = await text(answer)
    // The library retries bad nonces itself.
    const problem = status >= 400 ? readProblem(data) : undefined
    if (problem && !problem.type.endsWith(':badNonce'))
      throw new OrderRejected(
        toSentence(problem.detail ?? `The certificate authority responded with HTTP status ${status}`),
        {
          type: problem.type,
          retryAfter: parseRetryAfter(headers['retry-after']),
        },
      )
    return { data, status, statusText, headers: plain(headers), config: request }
  }
}

async function ask(request: AdapterConfig, config: Pick<Config, 'ACME_CA_FILE' | 'OUTSIDE_TIMEOUT'>) {
  const url = new URL(request.url ?? '')
  const ca = await readTrustedAuthorities(config)
  const signal = AbortSignal.timeout(config.OUTSIDE_TIMEOUT * 1000)
  const options = { method: request.method?.toUpperCase(), headers: toHeaders(request), signal }
  const body: unknown = request.data
  return new Promise<http.IncomingMessage>((resolve, reject) => {
    const outgoing =
      url.protocol === 'http:' ? http.request(url, options) : https.request(url, { ...options, ca })
    outgoing.on('response', resolve).on('error', reject)
    outgoing.end(typeof body === 'string' ? body : undefined)
  })
}

const plain = (headers: http.IncomingHttpHeaders) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

const toHeaders = ({ headers }: AdapterConfig) =>
  Object.fromEntries(Object.entries(headers.toJSON()).map(([name, value]) => [name, String(value)]))

function readProblem(data: string): z.infer<typeof problem> {
  try {
    return problem.parse(JSON.parse(data))
  } catch {
    return { type: '' }
  }
}

const LONGEST = 30 * 86_400

function parseRetryAfter(header: string | undefined): number {
  if (header === undefined) return 0
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(0, seconds), LONGEST) : 0
}
