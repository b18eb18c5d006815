import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto'
import type { Context } from '../../context.ts'

type Needed = Pick<Context, 'db' | 'secrets' | 'config'>

const thumbprints = new WeakMap<Needed['config'], Promise<string>>()

/**
 * All that a proxy needs to answer for any name that a certificate authority asks about: what it has to say is what
 * was asked, a dot, and this.
 */
export function acmeThumbprint(ctx: Needed): Promise<string> {
  const known = thumbprints.get(ctx.config) ?? readAccountKey(ctx).then(thumbprintOf)
  thumbprints.set(ctx.config, known)
  known.catch(() => thumbprints.delete(ctx.config))
  return known
}

/** The key by which the certificate authority knows this Slipway; made by whoever needs it first, in PEM. */
export async function readAccountKey({ db, secrets, config }: Needed): Promise<string> {
  const directory = config.ACME_URL
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
