import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { getSettings } from '../../settings.ts'
import type { Db } from '../../tables.ts'
import type { Refused } from './not-issued.ts'
import { type CertificateRow, findOrderBefore } from './store.ts'

type Scope = Pick<Context, 'bus' | 'db' | 'config' | 'secrets'>

/** When an order may be made again, and why not now. */
export interface Wait {
  until: Date
  says: string
}

type Ordered = Pick<CertificateRow, 'workspace_id' | 'host' | 'chain'>

/** A certificate that is in use is replaced. New orders are counted apart, so that they cannot use up the share of renewals. */
export const isRenewal = ({ chain }: Pick<CertificateRow, 'chain'>) => chain !== null

/** Nothing when one for the name may be made now. */
export async function findWait(ctx: Scope, db: Db, ordered: Ordered): Promise<Wait | undefined> {
  const { workspace_id: workspaceId, host } = ordered
  const { acmeUrl, limits } = await getSettings(ctx)
  const pause = await findPause(db, acmeUrl, host)
  if (pause)
    return {
      until: pause,
      says: `The certificate authority accepts no order for ${host} before ${inWords(pause)}. Slipway retries then.`,
    }
  for (const { within, ...limit } of windowsOf(limits.certificateOrdersPerWorkspacePerHour)) {
    const earlier = await findOrderBefore(db, workspaceId, { ...limit, renewal: isRenewal(ordered) })
    if (!earlier) continue
    const until = new Date(earlier.getTime() + limit.seconds * 1_000)
    return {
      until,
      says: `This workspace has ordered ${limit.many} certificates within ${within}, which is the limit. The one for ${host} is ordered automatically after ${inWords(until)}.`,
    }
  }
  if (isRenewal(ordered)) return undefined
  return (
    (await findOwnersWait(db, ordered, limits.certificateOrdersPerWorkspacePerHour * 3)) ??
    findInstanceWait(db, host)
  )
}

/** Whoever owns several workspaces orders no more for all of them together than for one. */
async function findOwnersWait(
  db: Db,
  { workspace_id, host }: Ordered,
  many: number,
): Promise<Wait | undefined> {
  const { rows } = await sql<{ until: Date }>`
    select created_at + make_interval(secs => ${INSTANCE_SECONDS}) as until from acme_orders
    where not renewal and created_at > now() - make_interval(secs => ${INSTANCE_SECONDS}) and workspace_id in (
      select own.workspace_id from members own join members asking on asking.user_id = own.user_id
      where own.role = 'owner' and asking.role = 'owner' and asking.workspace_id = ${workspace_id})
    order by created_at desc offset ${many - 1} limit 1`.execute(db)
  const until = rows[0]?.until
  return (
    until && {
      until,
      says: `The workspaces of this workspace’s owners have ordered ${many} certificates within 3 hours, which is the limit. The one for ${host} is ordered automatically after ${inWords(until)}.`,
    }
  )
}

/** All workspaces share one account, which may order 300 certificates in 3 hours; half of that stays free for renewals. */
const INSTANCE_ORDERS = 150
const INSTANCE_SECONDS = 3 * 3_600

async function findInstanceWait(db: Db, host: string): Promise<Wait | undefined> {
  const { rows } = await sql<{ until: Date }>`
    select created_at + make_interval(secs => ${INSTANCE_SECONDS}) as until from acme_orders
    where not renewal and created_at > now() - make_interval(secs => ${INSTANCE_SECONDS})
    order by created_at desc offset ${INSTANCE_ORDERS - 1} limit 1`.execute(db)
  const until = rows[0]?.until
  return (
    until && {
      until,
      says: `This Slipway has ordered ${INSTANCE_ORDERS} certificates within 3 hours, which is the limit. The one for ${host} is ordered automatically after ${inWords(until)}.`,
    }
  )
}

/** Orders of each workspace, failed ones included: all workspaces share one account at the certificate authority. */
const windowsOf = (anHour: number) => [
  { many: anHour * 3, seconds: 86_400, within: 'a day' },
  { many: anHour, seconds: 3_600, within: 'an hour' },
]

const inWords = (time: Date) => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`

async function findPause(db: Db, directory: string, host: string): Promise<Date | undefined> {
  const { rows } = await sql<{ until: Date | null }>`
    select max(until) as until from acme_pauses
    where directory = ${directory} and host = ${host} and until > now()`.execute(db)
  return rows[0]?.until ?? undefined
}

/**
 * A refusal pauses the order that got it, whatever it names: one that names no host must not let one workspace hold up all others.
 * Remembered apart from the certificate, so that adding the name again does not end the pause.
 */
export async function keepPause(ctx: Scope, db: Db, host: string, { retryAfter }: Refused): Promise<void> {
  if (retryAfter === 0) return
  const { acmeUrl } = await getSettings(ctx)
  await sql`
    insert into acme_pauses as p (directory, host, until) values (${acmeUrl}, ${host}, now() + make_interval(secs => ${retryAfter}))
    on conflict (directory, host) do update set until = greatest(p.until, excluded.until)`.execute(db)
}

/** What is over counts no longer. */
export async function forgetPauses(db: Db): Promise<void> {
  await sql`delete from acme_pauses where until < now()`.execute(db)
  await sql`delete from acme_orders where created_at < now() - interval '1 day'`.execute(db)
}
