import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { ExternalInitiator } from '../../events.ts'
import type { DeploymentRequest } from '../deployments/request-deployment.ts'
import { type Insertable, type Selectable, sql } from 'kysely'
import { enqueue, type NewJob } from '../../platform/jobs.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { Db, Tables, Trx } from '../../tables.ts'

export type Delivery = Selectable<Tables['deliveries']>
export type HookOutcome = Selectable<Tables['outcomes']>

export const deliveryQueueKey = (source: { installation: number } | { application: Id<'application'> }) =>
  'installation' in source ? `installation:${source.installation}` : `application:${source.application}`

type WithSecrets = Pick<Context, 'secrets'>

/** Payloads may contain secrets from CI, so they are sealed. */
const payloadSealContext = (id: Id<'delivery'>) => `deliveries.payload_sealed:${id}`

export const sealPayload = ({ secrets }: WithSecrets, id: Id<'delivery'>, payload: string) =>
  secrets.seal(payloadSealContext(id), payload)

export const openPayload = ({ secrets }: WithSecrets, { id, payload_sealed }: Delivery) =>
  secrets.open(payloadSealContext(id), payload_sealed)

export interface Decision {
  application: { id: Id<'application'>; name: string } | null
  status: 'deployed' | 'ignored' | 'failed'
  summary: string
  /** The request for a tag includes the commit time, because tags arrive in any order. */
  request?: {
    initiator: ExternalInitiator
    deployment: DeploymentRequest
    label: string
    at?: Date | undefined
  }
}

export const ignoredDecision = (summary: string, application: Decision['application'] = null): Decision => ({
  application,
  status: 'ignored',
  summary,
})

export const failedDecision = (summary: string, application: Decision['application'] = null): Decision => ({
  application,
  status: 'failed',
  summary,
})

export interface DecidedDelivery {
  id: Id<'delivery'>
  decisions: Decision[]
}

type RequestedDeployment = NonNullable<Decision['request']>

export function coalesceDecisions(all: DecidedDelivery[]): DecidedDelivery[] {
  const newest = new Map<string, RequestedDeployment>()
  for (const { application, request } of all.flatMap(({ decisions }) => decisions)) {
    if (!application || !request) continue
    const previous = newest.get(application.id)
    if (!previous || !isOlder(request, previous)) newest.set(application.id, request)
  }
  const newestOnly = (decision: Decision): Decision => {
    const { application, request } = decision
    const newer = application && newest.get(application.id)
    return !request || !newer || newer === request
      ? decision
      : ignoredDecision(`Skipped: ${newer.label} arrived before this deployment started.`, application)
  }
  return all.map(({ id, decisions }) => ({ id, decisions: decisions.map(newestOnly) }))
}

const isOlder = ({ at }: RequestedDeployment, than: RequestedDeployment) =>
  at !== undefined && than.at !== undefined && at < than.at

/** The best outcome of a delivery decides its status. */
export const bestFirst = sql`array_position(array['deployed', 'failed', 'ignored'], o.status)`

/** Does nothing when the delivery was received before. */
export async function insertDelivery(
  trx: Trx,
  secrets: Secrets,
  row: Insertable<Tables['deliveries']>,
): Promise<void> {
  const inserted = await trx
    .insertInto('deliveries')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!inserted) return
  if (row.application_id && !row.redelivery_of)
    await trx
      .updateTable('hooks')
      .set({ used_at: sql<Date>`now()` })
      .where('workspace_id', '=', row.workspace_id)
      .where('application_id', '=', row.application_id)
      .execute()
  await enqueue(secrets, trx, handleDeliveriesJob(row.workspace_id, row.queue))
}

/** Deliveries of one queue are processed in order. */
export const handleDeliveriesJob = (workspaceId: Id<'workspace'>, queue: string): NewJob => ({
  kind: 'handle-deliveries',
  payload: { workspace_id: workspaceId, queue },
  key: `deliveries:${workspaceId}:${queue}`,
  lane: 'webhooks',
})

export async function listReceivedGuids(db: Db, deliveries: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ delivery: string }>`
    select distinct delivery from deliveries where hook = 'github' and delivery = any (${deliveries})`.execute(
    db,
  )
  return new Set(rows.map(({ delivery }) => delivery))
}

/** Workspaces that connected an installation, in a stable order. The verified signature authorizes this lookup. */
export async function listWorkspacesOfInstallation(db: Db, installation: number): Promise<Id<'workspace'>[]> {
  const rows = await db
    .selectFrom('integrations')
    .select('workspace_id')
    .where('provider', '=', 'github')
    .where('installation_id', '=', installation)
    .orderBy('workspace_id')
    .execute()
  return rows.map((row) => row.workspace_id)
}

const batchLimits = { deliveries: 500, bytes: 26_214_400 }

export async function listWaitingDeliveries(
  db: Db,
  workspaceId: Id<'workspace'>,
  queue: string,
): Promise<Delivery[]> {
  const { rows } = await sql<Delivery>`
    select * from (
      select d.*, row_number() over (order by id) as place, sum(octet_length(payload_sealed)) over (order by id) as bytes
      from (
        select * from deliveries
        where workspace_id = ${workspaceId} and queue = ${queue} and status = 'waiting'
        order by id limit ${batchLimits.deliveries}
      ) as d
    ) as counted where place = 1 or bytes < ${batchLimits.bytes} order by id`.execute(db)
  return rows
}

export async function findNewerTag(
  db: Db,
  workspaceId: Id<'workspace'>,
  { id, tagged_at }: Pick<Delivery, 'id' | 'tagged_at'>,
  applicationId: Id<'application'>,
): Promise<string | undefined> {
  const { rows } = await sql<{ ref: string }>`
    select d.ref from deliveries d
    join outcomes o on o.workspace_id = d.workspace_id and o.delivery_id = d.id
    where d.workspace_id = ${workspaceId} and d.id < ${id} and d.tagged_at > ${tagged_at}
      and d.received_at > now() - interval '10 minutes'
      and o.application_id = ${applicationId} and o.status = 'deployed'
    order by d.tagged_at desc limit 1`.execute(db)
  return rows[0]?.ref
}

export async function findNewerPush(
  db: Db,
  workspaceId: Id<'workspace'>,
  { pushed_at, repository, ref, tagged_at }: Delivery,
  applicationId: Id<'application'>,
): Promise<string | undefined> {
  if (!pushed_at) return undefined
  const { rows } = await sql<{ sha: string }>`
    select d.sha from deliveries d
    join outcomes o on o.workspace_id = d.workspace_id and o.delivery_id = d.id
    where d.workspace_id = ${workspaceId} and d.pushed_at > ${pushed_at} and d.repository = ${repository}
      and ${tagged_at ? sql`d.tagged_at is not null` : sql`d.tagged_at is null and d.ref = ${ref}`}
      and o.application_id = ${applicationId} and o.status = 'deployed'
    order by d.pushed_at desc limit 1`.execute(db)
  return rows[0]?.sha
}

export const listOutcomes = (db: Db, workspaceId: Id<'workspace'>, ids: Id<'delivery'>[]) =>
  db
    .selectFrom('outcomes')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('delivery_id', 'in', ids)
    .execute()

export const insertOutcomes = (db: Db, rows: Insertable<Tables['outcomes']>[]) =>
  db.insertInto('outcomes').values(rows).execute()

export const completeDeliveries = (db: Db, workspaceId: Id<'workspace'>, ids: Id<'delivery'>[]) =>
  sql`
  update deliveries d set handled_at = now(), status = coalesce((
    select o.status from outcomes o where o.delivery_id = d.id
    order by ${bestFirst} limit 1), 'ignored')
  where d.workspace_id = ${workspaceId} and d.id = any (${ids})`.execute(db)
