import { type Kysely, sql } from 'kysely'
import type { Secrets } from './platform/secrets.ts'
import { transaction } from './platform/transaction.ts'
import type { Db, Tables } from './tables.ts'

/** Notes the key that seals from now on. What was sealed with a missing one could never be opened: better to say so now. */
export const registerSecretKey = (db: Kysely<Tables>, secrets: Secrets) =>
  transaction(db, async (trx) => {
    // One process at a time: of two that are the first, each with a key of its own, one has to lose.
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

/** For when nothing is sealed with any other key. */
export const deleteOtherKeys = (db: Db, secrets: Secrets) =>
  sql`delete from instance where ${ofKeys} and name <> ${nameOf(secrets)}`.execute(db)

const nameOf = (secrets: Secrets) => `secret_key:${secrets.keyId}`

/** The bare name, with the id as its value, is how the first versions kept the newest one. */
const ofKeys = sql`(name = 'secret_key' or name like 'secret\\_key:%')`
