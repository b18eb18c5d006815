import * as acme from 'acme-client'
import type { Context } from '../../context.ts'
import { asSentence } from '../../errors.ts'
import { getSettings } from '../../settings.ts'
import { newKey, readAccountKey } from './acme-account.ts'
import { acmeAdapter } from './acme-http.ts'
import type { HandOver } from './challenges.ts'
import { type Pair, readPair } from './check-pair.ts'
import { NotYet, Refused } from './not-issued.ts'

/** Orders one for a name whose proxy answers for it, with a new key. Throws `Refused` with the words of the authority. */
export async function askForCertificate(
  ctx: Context,
  host: string,
  handOver: HandOver,
  signal: AbortSignal,
): Promise<Pair> {
  const { acmeUrl } = await getSettings(ctx)
  // The library has one for the whole process.
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
    const pair = readPair(await client.getCertificate(await client.finalizeOrder(order, csr)), key)
    await deactivate(ctx, client, authorizations)
    return pair
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof NotYet || error instanceof Refused) throw error
    // What it found wrong with a proof or an order comes as words alone.
    throw new Refused(asSentence(error instanceof Error ? error.message : String(error)))
  }
}

/** Its operator agreed to the terms by using it. Who is known is asked for no more: the library would change the account. */
async function signIn({ config }: Context, client: acme.Client): Promise<void> {
  try {
    await client.createAccount({ onlyReturnExisting: true })
  } catch (error) {
    if (!(error instanceof Refused && error.type.endsWith(':accountDoesNotExist'))) throw error
    const contact = config.ACME_EMAIL ? { contact: [`mailto:${config.ACME_EMAIL}`] } : {}
    await client.createAccount({ termsOfServiceAgreed: true, ...contact })
  }
}

async function prove(
  client: acme.Client,
  order: acme.Order,
  handOver: HandOver,
): Promise<acme.Authorization[]> {
  const authorizations = await client.getAuthorizations(order)
  for (const authorization of authorizations) {
    if (authorization.status === 'valid') continue
    const challenge = authorization.challenges.find(({ type }) => type === 'http-01')
    if (!challenge) throw new Refused('It offers no check over HTTP, and Slipway knows no other.')
    if (challenge.status === 'pending') {
      await handOver(challenge.token, await client.getChallengeKeyAuthorization(challenge))
      await client.completeChallenge(challenge)
    }
    await client.waitForValidStatus(challenge)
  }
  return authorizations
}

/** A valid authorization lasts for weeks: whoever holds the name by then would get a certificate without a challenge. */
async function deactivate(ctx: Context, client: acme.Client, authorizations: acme.Authorization[]) {
  for (const authorization of authorizations) {
    try {
      await client.deactivateAuthorization(authorization)
    } catch (error) {
      ctx.log.warn({ why: String(error) }, 'An authorization was not deactivated; it expires by itself.')
    }
  }
}
