import { generateKeyPairSync } from 'node:crypto'
import type { Context } from '../../context.ts'
import { getSettings } from '../../settings.ts'

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
export const newKey = () =>
  generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey
