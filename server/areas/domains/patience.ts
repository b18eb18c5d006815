import { sql } from 'kysely'
import type { Id } from '../../../contract/ids.ts'
import type { Context } from '../../context.ts'
import { getSettings } from '../../settings.ts'
import type { Db } from '../../tables.ts'
import type { Refused } from './not-issued.ts'
import { findOrderBefore } from './store.ts'

type Scope = Pick<Context, 'bus' | 'db' | 'config' | 'secrets'>

/** When an order may be made again, and why not now. */
export interface Wait {
  until: Date
  says: string
}

/** Nothing when one for the name may be made now. */
export async function findWait(
  ctx: Scope,
  db: Db,
  workspaceId: Id<'workspace'>,
  host: string,
): Promise<Wait | undefined> {
  const { acmeUrl, limits } = await getSettings(ctx)
  const pause = await findPause(db, acmeUrl, host)
  if (pause)
    return {
      until: pause,
      says: `The certificate authority wants no order for ${host} before ${inWords(pause)}. Slipway orders it then by itself.`,
    }
  // What one workspace asks for too often, the authority refuses to all.
  const mostOrders = limits.certificateOrdersPerWorkspacePerHour
  const earlier = await findOrderBefore(db, workspaceId, mostOrders)
  if (!earlier) return undefined
  const until = new Date(earlier.getTime() + 3_600_000)
  return {
    until,
    says: `This workspace has ordered ${mostOrders} certificates within an hour, and certificate authorities take no more. The one for ${host} is ordered by itself after ${inWords(until)}.`,
  }
}

const inWords = (time: Date) => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`

async function findPause(db: Db, directory: string, host: string): Promise<Date | undefined> {
  const { rows } = await sql<{ until: Date | null }>`
    select max(until) as until from acme_pauses
    where directory = ${directory} and host in ('', ${host}) and until > now()`.execute(db)
  return rows[0]?.until ?? undefined
}

/** Remembered apart from the certificate: it holds for whoever asks for the name anew. */
export async function keepPause(
  ctx: Scope,
  db: Db,
  host: string,
  { message, retryAfter }: Refused,
): Promise<void> {
  if (retryAfter === 0) return
  const name = isAbout(message, host) ? host : ''
  const { acmeUrl } = await getSettings(ctx)
  await sql`
    insert into acme_pauses as p (directory, host, until) values (${acmeUrl}, ${name}, now() + make_interval(secs => ${retryAfter}))
    on conflict (directory, host) do update set until = greatest(p.until, excluded.until)`.execute(db)
}

/** Where it names neither the name nor the domain above it, it has had enough of us as a whole. */
function isAbout(words: string, host: string): boolean {
  const labels = host.split('.')
  const above = labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'))
  return above.some((name) => words.toLowerCase().includes(name))
}

/** What is over counts no longer. */
export async function forgetPauses(db: Db): Promise<void> {
  await sql`delete from acme_pauses where until < now()`.execute(db)
  await sql`delete from acme_orders where created_at < now() - interval '1 hour'`.execute(db)
}
