import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { z } from 'zod'
import { receiveEvent } from '../../../contract/webhooks.ts'
import type { Context } from '../../context.ts'
import { integrationOff, unreadable } from '../../errors.ts'
import { newId } from '../../platform/ids.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Db } from '../../tables.ts'
import { findWebhookSecret } from '../auth/github-app.ts'
import { sealPayload } from './payload.ts'
import { anyEvent } from './payloads.ts'
import { firstLine, refOf, timeOf } from './pushed.ts'
import { handlingOf, queueOf } from './queue.ts'
import { headersOf, type Received, textOf } from './received.ts'
import { findWorkspaces, insertDelivery } from './store.ts'
import { refuse } from './wrong-calls.ts'

/**
 * Kept once for each workspace that has connected the installation; delivered again, it is taken for what it is. Only the body
 * is signed, so it is known by its hash as well as by its delivery id.
 */
export async function receiveGitHub(ctx: Context, given: Received): Promise<void> {
  const secret = await findWebhookSecret(ctx)
  if (secret === undefined) throw integrationOff('GitHub')
  const signature = given.header('x-hub-signature-256')
  if (!signature) throw refuse(given.address)
  const bytes = await given.read(receiveEvent.mostBytes)
  if (!isSigned(bytes, signature, secret)) throw refuse(given.address)
  const payload = payloadOf(given, bytes)
  const event = eventOf(payload)
  const installation = event.installation?.id
  // A ping is about no account.
  if (installation === undefined) return
  const queue = queueOf({ installation })
  const facts = { ...factsOf(event), installation_id: installation }
  const about = {
    hook: 'github' as const,
    delivery: needed(given, 'x-github-delivery'),
    event: needed(given, 'x-github-event'),
    queue,
    application_id: null,
    ...facts,
    headers: JSON.stringify(headersOf(given)),
    redelivery_of: null,
    body_hash: createHash('sha256').update(bytes).digest('hex'),
  }
  const workspaces = await findWorkspaces(ctx.db, installation)
  const keep = async (db: Db) => {
    for (const workspace_id of workspaces) {
      const id = newId('delivery')
      const row = { id, workspace_id, ...about, payload_sealed: sealPayload(ctx, id, payload) }
      await insertDelivery(db, ctx.secrets, row, handlingOf(workspace_id, queue))
    }
  }
  // For all of them or for none: what is half kept is known, and nobody would have it sent again.
  await (workspaces.length > 1 ? transaction(ctx.db, keep) : keep(ctx.db))
}

function isSigned(bytes: Buffer, signature: string, secret: string): boolean {
  const [, given] = /^sha256=([0-9a-f]{64})$/i.exec(signature) ?? []
  if (given === undefined) return false
  return timingSafeEqual(createHmac('sha256', secret).update(bytes).digest(), Buffer.from(given, 'hex'))
}

function needed(given: Received, name: string): string {
  const value = given.header(name)
  if (!value || value.length > 200) throw unreadable(`This request has no usable header ${name}.`)
  return value
}

/** An App can be told to send a form instead, which holds the same text. */
function payloadOf(given: Received, bytes: Buffer): string {
  const text = textOf(bytes)
  if (!given.header('content-type')?.startsWith('application/x-www-form-urlencoded')) return text
  return new URLSearchParams(text).get('payload') ?? ''
}

function eventOf(payload: string): z.output<typeof anyEvent> {
  try {
    return anyEvent.parse(JSON.parse(payload))
  } catch {
    throw unreadable('This request is not an event as GitHub sends it.')
  }
}

const factsOf = ({ repository, ref, after, head_commit, sender }: z.output<typeof anyEvent>) => ({
  repository: repository?.full_name ?? null,
  ref: ref ? (refOf(ref)?.name ?? ref) : null,
  sha: head_commit?.id ?? after ?? null,
  message: head_commit ? firstLine(head_commit.message) : null,
  sender: sender?.login ?? null,
  tagged_at: ref && refOf(ref)?.kind === 'tag' ? (timeOf(head_commit) ?? null) : null,
  pushed_at: typeof repository?.pushed_at === 'number' ? new Date(repository.pushed_at * 1_000) : null,
})
