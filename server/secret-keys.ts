import { type Kysely, sql } from 'kysely'
import type { Secrets } from './platform/secrets.ts'
import { transaction } from './platform/transaction.ts'
import type { Db, Tables } from './tables.ts'

/** Registers the current key. Fails when an earlier key is missing: its secrets could not be decrypted. */
export const registerSecretKey = (db: Kysely<Tables>, secrets: Secrets) =>
  transaction(db, async (trx) => {
    // Serialize: of two first processes with different keys, one must fail.
    await sql`lock table instance in share row exclusive mode`.execute(trx)
    const { rows } = await sql<{ id: string }>`
      select case name when 'secret_key' then value else split_part(name, ':', 2) end as id
      from instance where ${ofKeys}`.execute(trx)
    if (!rows.every(({ id }) => secrets.hasKey(id)))
      throw new Error(
        'A key that encrypted secrets in this database is missing. Restore secret.key in DATA_DIR or the former SECRET_KEY; to change the key, set SECRET_KEY to the new one and keep the old one after it, separated by a comma.',
      )
    await sql`insert into instance values (${nameOf(secrets)}, now()) on conflict do nothing`.execute(trx)
  })

/** Call only when no value is sealed with another key. */
export const deleteOtherKeys = (db: Db, secrets: Secrets) =>
  sql`delete from instance where ${ofKeys} and name <> ${nameOf(secrets)}`.execute(db)

const nameOf = (secrets: Secrets) => `secret_key:${secrets.keyId}`

/** The first versions stored the newest key ID under the bare name. */
const ofKeys = sql`(name = 'secret_key' or name like 'secret\\_key:%')`
