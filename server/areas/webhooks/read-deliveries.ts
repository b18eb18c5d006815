import { sql } from 'kysely'
import type { z } from 'zod'
import type { Id } from '../../../contract/shared/ids.ts'
import type { delivery } from '../../../contract/webhooks.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { newId } from '../../platform/ids.ts'
import { type PageQuery, readPage } from '../../platform/pagination.ts'
import { transaction } from '../../platform/transaction.ts'
import { type Actor, hasPermission } from '../../route.ts'
import type { Db, Tables } from '../../tables.ts'
import {
  bestFirst,
  type Delivery,
  type HookOutcome,
  insertDelivery,
  openPayload,
  sealPayload,
} from './delivery.ts'

export interface DeliveryRow extends Omit<Delivery, 'headers' | 'payload_sealed'> {
  outcomes: (Pick<
    HookOutcome,
    'application_id' | 'application_name' | 'status' | 'summary' | 'deployment_id'
  > & {
    deployment_status: Tables['deployments']['status'] | null
  })[]
}

export interface DeliveryQuery extends PageQuery {
  application_id?: Id<'application'> | undefined
  status?: Delivery['status'] | undefined
}

const presentDelivery = (row: DeliveryRow): z.input<typeof delivery> => ({
  id: row.id,
  hook: row.hook,
  event: row.event,
  repository: row.repository,
  ref: row.ref,
  is_tag: row.tagged_at !== null,
  sha: row.sha,
  message: row.message,
  sender: row.sender,
  status: row.status,
  outcomes: row.outcomes.map(({ application_id, application_name, ...outcome }) => ({
    application:
      application_id && application_name !== null ? { id: application_id, name: application_name } : null,
    ...outcome,
  })),
  redelivery_of: row.redelivery_of,
  received_at: row.received_at.toISOString(),
  handled_at: row.handled_at?.toISOString() ?? null,
})

export async function listDeliveries(ctx: Context, actor: Actor, query: DeliveryQuery) {
  const { rows, page } = await listDeliveryRows(ctx.db, actor.workspace.id, query)
  return { deliveries: rows.map(presentDelivery), page }
}

async function getDeliveryRow(ctx: Context, actor: Actor, id: Id<'delivery'>) {
  const row = await findDeliveryRow(ctx.db, actor.workspace.id, id)
  if (!row) throw notFound('This delivery')
  return row
}

export async function getDelivery(ctx: Context, actor: Actor, id: Id<'delivery'>) {
  const row = await getDeliveryRow(ctx, actor, id)
  const seesAll = hasPermission(actor, 'applications.manage')
  return {
    ...presentDelivery(row),
    headers: seesAll ? row.headers : null,
    payload: seesAll ? openPayload(ctx, row) : null,
    payload_truncated: row.is_truncated,
  }
}

export async function redeliver(ctx: Context, actor: Actor, id: Id<'delivery'>) {
  const original = await getDeliveryRow(ctx, actor, id)
  const {
    outcomes: _outcomes,
    status: _status,
    received_at: _received,
    handled_at: _handled,
    ...copy
  } = original
  const newDeliveryId = newId('delivery')
  const row = {
    ...copy,
    id: newDeliveryId,
    payload_sealed: sealPayload(ctx, newDeliveryId, openPayload(ctx, original)),
    // Redeliveries are exempt from duplicate detection.
    delivery: `${newDeliveryId} of ${original.delivery}`,
    headers: JSON.stringify(original.headers),
    redelivery_of: id,
    body_hash: null,
  }
  await transaction(ctx.db, (trx) => insertDelivery(trx, ctx.secrets, row))
  return presentDelivery(await getDeliveryRow(ctx, actor, newDeliveryId))
}

const outcomesColumn = sql`(
  select coalesce(json_agg(json_build_object('application_id', o.application_id, 'status', o.status,
    'application_name', o.application_name, 'summary', o.summary, 'deployment_id', o.deployment_id,
    'deployment_status', started.status)
    order by ${bestFirst}, o.position), '[]')
  from outcomes o
  left join deployments started on started.workspace_id = o.workspace_id and started.id = o.deployment_id
  where o.workspace_id = d.workspace_id and o.delivery_id = d.id) as outcomes`

const listedColumns = sql`d.id, d.workspace_id, d.hook, d.delivery, d.event, d.queue, d.application_id, d.installation_id, d.repository,
  d.ref, d.sha, d.message, d.sender, d.status, d.redelivery_of, d.received_at, d.handled_at,
  d.tagged_at, d.body_hash, d.pushed_at, d.is_truncated`

export function listDeliveryRows(db: Db, workspaceId: Id<'workspace'>, query: DeliveryQuery) {
  const byApplication = query.application_id
    ? sql`and (d.application_id = ${query.application_id} or exists (select from outcomes o
        where o.delivery_id = d.id and o.application_id = ${query.application_id}))`
    : sql``
  const byStatus = query.status ? sql`and d.status = ${query.status}` : sql``
  const from = sql`
    select ${listedColumns}, ${outcomesColumn} from deliveries d where d.workspace_id = ${workspaceId} ${byApplication} ${byStatus}`
  return readPage<DeliveryRow>(db, { from, order: ['id'], direction: 'desc' }, query)
}

export async function findDeliveryRow(db: Db, workspaceId: Id<'workspace'>, id: Id<'delivery'>) {
  const { rows } = await sql<DeliveryRow & Delivery>`
    select d.*, ${outcomesColumn} from deliveries d where d.workspace_id = ${workspaceId} and d.id = ${id}`.execute(
    db,
  )
  return rows[0]
}
