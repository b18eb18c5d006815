import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto'
import type { Context } from '../../context.ts'
import { getSettings } from '../../settings.ts'

type Needed = Pick<Context, 'db' | 'secrets' | 'config' | 'bus'>

/** By the directory of the authority, which can change while we run. */
const thumbprints = new WeakMap<Needed['config'], Map<string, Promise<string>>>()

/**
 * All that a proxy needs to answer for any name that a certificate authority asks about: what it has to say is what
 * was asked, a dot, and this.
 */
export async function acmeThumbprint(ctx: Needed): Promise<string> {
  const { acmeUrl } = await getSettings(ctx)
  const byDirectory = thumbprints.get(ctx.config) ?? new Map<string, Promise<string>>()
  thumbprints.set(ctx.config, byDirectory)
  const known = byDirectory.get(acmeUrl) ?? readAccountKey(ctx).then(thumbprintOf)
  byDirectory.set(acmeUrl, known)
  known.catch(() => byDirectory.delete(acmeUrl))
  return known
}

/** The key by which the certificate authority knows this Slipway; made by whoever needs it first, in PEM. */
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
  if (!made) throw new Error('The key of the ACME account was removed as it was made.')
  return secrets.open(place, made.key_sealed)
}

/** Of a kind that every certificate authority takes. */
export const newKey = () =>
  generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey

/** RFC 7638: of the members that make the key, in this order. */
function thumbprintOf(key: string): string {
  const { crv, kty, x, y } = createPublicKey(key).export({ format: 'jwk' })
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
}
