import { sql } from 'kysely'
import type { Context } from './context.ts'
import { forgetOtherKeys } from './keys.ts'

/** Every column that holds sealed values, and the place that each of them is sealed for. */
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
  { table: 'jobs', column: 'payload_sealed', as: 'jobs.payload', row: sql`id` },
  { table: 'jobs', column: 'error_sealed', as: 'jobs.error', row: sql`id` },
]

type Sealed = (typeof sealedColumns)[number]

/** Seals everything again with the first key, beside a Slipway that runs; then the other keys can go. */
export async function reseal(ctx: Context): Promise<number> {
  let done = 0
  for (const sealed of sealedColumns)
    for (let some = await findOthers(ctx, sealed); some.length > 0; some = await findOthers(ctx, sealed))
      for (const row of some) {
        await replace(ctx, sealed, row)
        done++
      }
  await forgetOtherKeys(ctx.db, ctx.secrets)
  return done
}

interface Found {
  ctid: string
  place: string
  value: string
}

async function findOthers({ db, secrets }: Context, { table, column, as, row }: Sealed): Promise<Found[]> {
  const [value, prefix] = [sql.ref(column), as ?? `${table}.${column}`]
  const { rows } = await sql<Found>`
    select ctid::text, ${prefix}::text || ':' || ${row} as place, ${value} as value from ${sql.table(table)}
    where not starts_with(${value}, ${`1.${secrets.keyId}.`}) limit 500`.execute(db)
  return rows
}

/** A row that was changed in between is not where it was, and found again. */
async function replace({ db, secrets }: Context, { table, column }: Sealed, { ctid, place, value }: Found) {
  const again = secrets.seal(place, secrets.open(place, value))
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${again}
    where ctid = ${ctid}::tid and ${sql.ref(column)} = ${value}`.execute(db)
}
