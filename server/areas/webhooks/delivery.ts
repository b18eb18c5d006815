import type { z } from 'zod'
import type { Id } from '../../../contract/shared/ids.ts'
import type { delivery } from '../../../contract/webhooks.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { newId } from '../../platform/ids.ts'
import { transaction } from '../../platform/transaction.ts'
import { type Actor, hasPermission } from '../../route.ts'
import {
  type Delivery,
  type DeliveryQuery,
  type DeliveryRow,
  findDeliveryRow,
  insertDelivery,
  listDeliveryRows,
} from './store.ts'
import type { ExternalInitiator } from '../../events.ts'
import type { DeploymentRequest } from '../deployments/request-deployment.ts'

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
  /** Tags also need the commit time, because they arrive in any order. */
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
      : ignoredDecision(`Skipped: ${newer.label} arrived before this one started.`, application)
  }
  return all.map(({ id, decisions }) => ({ id, decisions: decisions.map(newestOnly) }))
}

const isOlder = ({ at }: RequestedDeployment, than: RequestedDeployment) =>
  at !== undefined && than.at !== undefined && at < than.at
