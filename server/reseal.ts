import { type Kysely, sql } from 'kysely'
import type { Context } from './context.ts'
import type { Secrets } from './platform/secrets.ts'
import { transaction } from './platform/transaction.ts'
import type { Db, Tables } from './tables.ts'

/** Every column with sealed values, and the SQL for the row that a value is sealed for. */
export const sealedColumns = [
  { table: 'users', column: 'two_factor_secret', row: sql`id` },
  { table: 'instance_settings', column: 'value_sealed', row: sql`name` },
  { table: 'invites', column: 'token_sealed', row: sql`workspace_id || ':' || email` },
  { table: 'servers', column: 'key_sealed', row: sql`id` },
  { table: 'cloud_tokens', column: 'token_sealed', row: sql`id` },
  { table: 'import_tokens', column: 'key_sealed', row: sql`token_hash` },
  { table: 'variables', column: 'value_sealed', row: sql`id` },
  { table: 'project_variables', column: 'value_sealed', row: sql`id` },
  { table: 'registries', column: 'password_sealed', row: sql`id` },
  { table: 'templates', column: 'template_sealed', row: sql`id` },
  { table: 'templates', column: 'compose_sealed', row: sql`id` },
  { table: 'certificates', column: 'key_sealed', row: sql`id` },
  { table: 'acme_accounts', column: 'key_sealed', row: sql`directory` },
  { table: 'applications', column: 'compose_sealed', row: sql`id` },
  { table: 'applications', column: 'notes_sealed', row: sql`id` },
  { table: 'releases', column: 'env_sealed', row: sql`id` },
  { table: 'releases', column: 'compose_sealed', row: sql`id` },
  { table: 'deployments', column: 'env_sealed', row: sql`id` },
  { table: 'deployments', column: 'compose_sealed', row: sql`id` },
  { table: 'github_apps', column: 'client_secret_sealed', row: sql`url` },
  { table: 'github_apps', column: 'webhook_secret_sealed', row: sql`url` },
  { table: 'github_apps', column: 'key_sealed', row: sql`url` },
  { table: 'hooks', column: 'secret_sealed', row: sql`application_id` },
  { table: 'idempotency_keys', column: 'reply_sealed', row: sql`caller || ':' || key` },
  { table: 'notifications', column: 'settings_sealed', row: sql`id` },
  { table: 'incidents', column: 'cause_sealed', row: sql`id` },
  { table: 'messages', column: 'content_sealed', row: sql`id` },
  { table: 'applications', column: 'command_sealed', row: sql`id` },
  { table: 'labels', column: 'value_sealed', row: sql`id` },
  { table: 'sources', column: 'build_args_sealed', row: sql`application_id` },
  { table: 'sources', column: 'generated_sealed', row: sql`application_id` },
  { table: 'releases', column: 'config_sealed', row: sql`id` },
  { table: 'deployments', column: 'config_sealed', row: sql`id` },
  { table: 'commands', column: 'command_sealed', row: sql`id` },
  { table: 'outputs', column: 'text_sealed', row: sql`source` },
  { table: 'saved_log_chunks', column: 'content_sealed', row: sql`log_id || ':' || seq` },
  { table: 'deliveries', column: 'payload_sealed', row: sql`id` },
  { table: 'deployments', column: 'errors_sealed', row: sql`id` },
  { table: 'deployment_steps', column: 'error_sealed', row: sql`deployment_id` },
  { table: 'messages', column: 'answers_sealed', row: sql`id` },
  { table: 'jobs', column: 'payload_sealed', as: 'jobs.payload', row: sql`id` },
  { table: 'jobs', column: 'error_sealed', as: 'jobs.error', row: sql`id` },
]

type Sealed = (typeof sealedColumns)[number]

/**
 * Re-encrypts all values with the first key (key rotation), also while Slipway is running. The other keys can then be
 * removed.
 */
export async function reseal(ctx: Context): Promise<number> {
  let done = 0
  for (const sealed of sealedColumns)
    for (let some = await findOthers(ctx, sealed); some.length > 0; some = await findOthers(ctx, sealed))
      for (const row of some) {
        await replace(ctx, sealed, row)
        done++
      }
  await deleteOtherKeys(ctx.db, ctx.secrets)
  return done
}

interface SealedValue {
  ctid: string
  place: string
  value: string
}

async function findOthers(
  { db, secrets }: Context,
  { table, column, as, row }: Sealed,
): Promise<SealedValue[]> {
  const prefix = as ?? `${table}.${column}`
  const { rows } = await sql<SealedValue>`
    select ctid::text, ${prefix}::text || ':' || ${row} as place, ${sql.ref(column)} as value
    from ${sql.table(table)}
    where not starts_with(${sql.ref(column)}, ${`1.${secrets.keyId}.`}) limit 500`.execute(db)
  return rows
}

/** Re-encrypts one value. A row that was changed concurrently is skipped; the next query finds it again. */
async function replace(
  { db, secrets }: Pick<Context, 'db' | 'secrets'>,
  { table, column }: Sealed,
  { ctid, place, value }: SealedValue,
) {
  const again = secrets.seal(place, secrets.open(place, value))
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${again}
    where ctid = ${ctid}::tid and ${sql.ref(column)} = ${value}`.execute(db)
}

/** Registers the current key. Fails if an earlier key is missing, because its secrets could not be decrypted. */
export const registerSecretKey = (db: Kysely<Tables>, secrets: Secrets) =>
  transaction(db, async (trx) => {
    // The lock serializes processes: if two first processes have different keys, one must fail.
    await sql`lock table instance in share row exclusive mode`.execute(trx)
    const { rows } = await sql<{ id: string }>`
      select split_part(name, ':', 2) as id
      from instance where ${ofKeys}`.execute(trx)
    if (!rows.every(({ id }) => secrets.hasKey(id)))
      throw new Error(
        'A key that encrypted secrets in this database is missing. Restore secret.key in DATA_DIR or the former SECRET_KEY; to change the key, set SECRET_KEY to the new one and keep the old one after it, separated by a comma.',
      )
    await sql`insert into instance values (${keyName(secrets)}, now()) on conflict do nothing`.execute(trx)
  })

/** Deletes the other keys. Call this only when no value is sealed with one of them. */
const deleteOtherKeys = (db: Db, secrets: Secrets) =>
  sql`delete from instance where ${ofKeys} and name <> ${keyName(secrets)}`.execute(db)

const keyName = (secrets: Secrets) => `secret_key:${secrets.keyId}`

const ofKeys = sql`name like 'secret\\_key:%'`
