import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { getSettings } from '../../settings.ts'
import type { Db } from '../../tables.ts'
import type { OrderRejected } from './order-errors.ts'
import type { CertificateRow } from './store.ts'

type Scope = Pick<Context, 'settingsCache' | 'db' | 'config' | 'secrets'>

export interface RateLimitWait {
  until: Date
  reason: string
}

type Ordered = Pick<CertificateRow, 'workspace_id' | 'host' | 'chain'>

/** Renewals are limited separately, so that new orders cannot use up their share. */
export const isRenewal = ({ chain }: Pick<CertificateRow, 'chain'>) => chain !== null

export async function findRateLimitWait(
  ctx: Scope,
  db: Db,
  ordered: Ordered,
): Promise<RateLimitWait | undefined> {
  const { workspace_id: workspaceId, host } = ordered
  const { acmeUrl, limits } = await getSettings(ctx)
  const pause = await findPause(db, acmeUrl, host)
  if (pause)
    return {
      until: pause,
      reason: `The certificate authority does not accept orders for ${host} until ${formatUtc(pause)}. Slipway retries then.`,
    }
  for (const { within, many, seconds } of toWindows(limits.certificateOrdersPerWorkspacePerHour)) {
    const earlier = await db
      .selectFrom('acme_orders')
      .select('created_at')
      .where('workspace_id', '=', workspaceId)
      .where('renewal', '=', isRenewal(ordered))
      .where('created_at', '>', sql<Date>`now() - make_interval(secs => ${seconds})`)
      .orderBy('created_at', 'desc')
      .offset(many - 1)
      .limit(1)
      .executeTakeFirst()
    if (!earlier) continue
    const until = new Date(earlier.created_at.getTime() + seconds * 1_000)
    return {
      until,
      reason: `This workspace has reached the limit of ${many} certificates per ${within}. The certificate for ${host} is ordered automatically after ${formatUtc(until)}.`,
    }
  }
  return isRenewal(ordered) ? undefined : findInstanceWait(db, host)
}

/** All workspaces share one ACME account with 300 orders per 3 hours; half of them are reserved for renewals. */
const INSTANCE_ORDERS = 150
const INSTANCE_SECONDS = 3 * 3_600

async function findInstanceWait(db: Db, host: string): Promise<RateLimitWait | undefined> {
  const { rows } = await sql<{ until: Date }>`
    select created_at + make_interval(secs => ${INSTANCE_SECONDS}) as until from acme_orders
    where not renewal and created_at > now() - make_interval(secs => ${INSTANCE_SECONDS})
    order by created_at desc offset ${INSTANCE_ORDERS - 1} limit 1`.execute(db)
  const until = rows[0]?.until
  return (
    until && {
      until,
      reason: `This instance has reached the limit of ${INSTANCE_ORDERS} certificates per 3 hours. The certificate for ${host} is ordered automatically after ${formatUtc(until)}.`,
    }
  )
}

/** Orders per workspace, including failed ones: all workspaces share one ACME account. */
const toWindows = (anHour: number) => [
  { many: anHour * 3, seconds: 86_400, within: 'day' },
  { many: anHour, seconds: 3_600, within: 'hour' },
]

const formatUtc = (time: Date) => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`

async function findPause(db: Db, directory: string, host: string): Promise<Date | undefined> {
  const { rows } = await sql<{ until: Date | null }>`
    select max(until) as until from acme_pauses
    where directory = ${directory} and host = ${host} and until > now()`.execute(db)
  return rows[0]?.until ?? undefined
}

/**
 * A rate limit pauses only the order that hit it, so that one workspace cannot block others. Stored apart from the
 * certificate, so that re-adding the name does not end the pause.
 */
export async function savePause(
  ctx: Scope,
  db: Db,
  host: string,
  { retryAfter }: OrderRejected,
): Promise<void> {
  if (retryAfter === 0) return
  const { acmeUrl } = await getSettings(ctx)
  await sql`
    insert into acme_pauses as p (directory, host, until) values (${acmeUrl}, ${host}, now() + make_interval(secs => ${retryAfter}))
    on conflict (directory, host) do update set until = greatest(p.until, excluded.until)`.execute(db)
}

export async function deleteExpiredPauses(db: Db): Promise<void> {
  await sql`delete from acme_pauses where until < now()`.execute(db)
  await sql`delete from acme_orders where created_at < now() - interval '1 day'`.execute(db)
}
