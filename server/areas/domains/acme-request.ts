import * as acme from 'acme-client'
import type { Context } from '../../context.ts'
import { toSentence } from '../../errors.ts'
import { getSettings } from '../../settings.ts'
import { acmeAdapter } from './acme-http.ts'
import type { ServeChallenge } from './challenges.ts'
import { type CertificatePair, readCertificatePair } from './certificate-pair.ts'
import { OrderPostponed, OrderRejected } from './order-errors.ts'
import { generateKeyPairSync } from 'node:crypto'

/** Orders a certificate with a new key. Throws `Refused` with the error of the authority. */
export async function requestAcmeCertificate(
  ctx: Context,
  host: string,
  handOver: ServeChallenge,
  signal: AbortSignal,
): Promise<CertificatePair> {
  const { acmeUrl } = await getSettings(ctx)
  // The library configures its HTTP client per process.
  acme.axios.defaults.adapter = acmeAdapter(ctx.config)
  const client = new acme.Client({
    directoryUrl: acmeUrl,
    accountKey: await readAccountKey(ctx),
    // About a minute.
    backoffAttempts: 16,
    backoffMin: 300,
    backoffMax: 5_000,
  })
  try {
    await signIn(ctx, client)
    signal.throwIfAborted()
    const order = await client.createOrder({ identifiers: [{ type: 'dns', value: host }] })
    const authorizations = await prove(client, order, handOver)
    signal.throwIfAborted()
    const key = newKey()
    const [, csr] = await acme.crypto.createCsr({ commonName: host, altNames: [host] }, key)
    const pair = readCertificatePair(await client.getCertificate(await client.finalizeOrder(order, csr)), key)
    await deactivate(ctx, client, authorizations)
    return pair
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof OrderPostponed || error instanceof OrderRejected) throw error
    // Errors of challenges and orders are plain text.
    throw new OrderRejected(toSentence(error instanceof Error ? error.message : String(error)))
  }
}

/** Looks up a known account instead of creating it: the library would update it. */
async function signIn({ config }: Context, client: acme.Client): Promise<void> {
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
  handOver: ServeChallenge,
): Promise<acme.Authorization[]> {
  const authorizations = await client.getAuthorizations(order)
  for (const authorization of authorizations) {
    if (authorization.status === 'valid') continue
    const challenge = authorization.challenges.find(({ type }) => type === 'http-01')
    if (!challenge) throw new OrderRejected('The certificate authority does not offer HTTP-01 challenges.')
    if (challenge.status === 'pending') {
      await handOver(challenge.token, await client.getChallengeKeyAuthorization(challenge))
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
      ctx.log.warn({ why: String(error) }, 'Authorization not deactivated; it expires')
    }
  }
}

type Needed = Pick<Context, 'db' | 'secrets' | 'config' | 'settingsCache'>

/** Returns the ACME account key in PEM and creates it on first use. */
export async function readAccountKey(ctx: Needed): Promise<string> {
  const { db, secrets } = ctx
  const directory = (await getSettings(ctx)).acmeUrl
  const find = () =>
    db.selectFrom('acme_accounts').select('key_sealed').where('directory', '=', directory).executeTakeFirst()
  const place = `acme_accounts.key_sealed:${directory}`
  const found = await find()
  if (found) return secrets.open(place, found.key_sealed)
  await db
    .insertInto('acme_accounts')
    .values({ directory, key_sealed: secrets.seal(place, newKey()) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const made = await find()
  if (!made) throw new Error('The ACME account key is missing.')
  return secrets.open(place, made.key_sealed)
}

/** P-256 is supported by every certificate authority. */
const newKey = () =>
  generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey
