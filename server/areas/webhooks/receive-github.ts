import { createHash, createHmac, type Hash, type Hmac, timingSafeEqual } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { receiveEvent } from '../../../contract/webhooks.ts'
import type { Context } from '../../context.ts'
import { integrationNotConfigured, unreadable } from '../../errors.ts'
import { newId } from '../../platform/ids.ts'
import { onWorkerThread } from '../../platform/worker-thread.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Db } from '../../tables.ts'
import { findWebhookSecret } from '../auth/github-app.ts'
import { sealPayload } from './payload.ts'
import { type GitHubEvent, readEvent } from './payloads.ts'
import { firstLine, refOf, timeOf } from './pushed.ts'
import { handlingOf, queueOf } from './queue.ts'
import { headersOf, type Received, textOf } from './received.ts'
import { findWorkspaces, insertDelivery } from './store.ts'
import { refuse } from './wrong-calls.ts'

const readEventOffLoop = onWorkerThread(new URL('./payloads.js', import.meta.url), 'readEvent', readEvent)

/**
 * Stores a delivery once per workspace that connected the installation. Duplicates are detected by body hash as well as delivery ID, since only the body is signed.
 */
export async function receiveGitHub(ctx: Context, given: Received): Promise<void> {
  const secret = await findWebhookSecret(ctx)
  if (secret === undefined) throw integrationNotConfigured('GitHub')
  // Headers are validated before the body is read, and the signature before it is parsed.
  const signature = signatureOf(given)
  const [delivery, name] = [headerOf(given, 'x-github-delivery'), headerOf(given, 'x-github-event')]
  if (!signature || !delivery || !name) throw refuse(ctx, given.address)
  const bytes = await given.read(receiveEvent.mostBytes)
  const expected = await digest(createHmac('sha256', secret), bytes)
  if (!timingSafeEqual(expected, signature)) throw refuse(ctx, given.address)
  const payload = payloadOf(given, bytes)
  const event = await eventOf(payload)
  const installation = event.installation?.id
  // A ping has no installation.
  if (installation === undefined) return
  const queue = queueOf({ installation })
  const facts = { ...factsOf(event), installation_id: installation }
  const about = {
    hook: 'github' as const,
    delivery,
    event: name,
    queue,
    application_id: null,
    ...facts,
    headers: JSON.stringify(headersOf(given)),
    redelivery_of: null,
    body_hash: (await digest(createHash('sha256'), bytes)).toString('hex'),
  }
  const workspaces = await findWorkspaces(ctx.db, installation)
  const keep = async (db: Db) => {
    for (const workspace_id of workspaces) {
      const id = newId('delivery')
      const row = { id, workspace_id, ...about, payload_sealed: sealPayload(ctx, id, payload) }
      await insertDelivery(db, ctx.secrets, row, handlingOf(workspace_id, queue))
    }
  }
  // All workspaces in one transaction: a partly stored delivery would not be redelivered.
  await (workspaces.length > 1 ? transaction(ctx.db, keep) : keep(ctx.db))
}

function signatureOf(given: Received): Buffer | undefined {
  const [, hex] = /^sha256=([0-9a-f]{64})$/i.exec(given.header('x-hub-signature-256') ?? '') ?? []
  return hex === undefined ? undefined : Buffer.from(hex, 'hex')
}

const slice = 1_048_576

/** Hashing 25 MB takes 30 ms or more and is unauthenticated: yield to other requests after each megabyte. */
async function digest(hash: Hash | Hmac, bytes: Buffer): Promise<Buffer> {
  for (let at = 0; at < bytes.length; at += slice) {
    if (at > 0) await setImmediate()
    hash.update(bytes.subarray(at, at + slice))
  }
  return hash.digest()
}

function headerOf(given: Received, name: string): string | undefined {
  const value = given.header(name)
  return value && value.length <= 200 ? value : undefined
}

/** An App can be configured to send a form with the same JSON. */
function payloadOf(given: Received, bytes: Buffer): string {
  const text = textOf(bytes)
  if (!given.header('content-type')?.startsWith('application/x-www-form-urlencoded')) return text
  return new URLSearchParams(text).get('payload') ?? ''
}

/** Parsing 25 MB takes a quarter of a second: large events are parsed on a worker thread. */
async function eventOf(payload: string): Promise<GitHubEvent> {
  const event = payload.length > slice ? await readEventOffLoop('github', payload) : readEvent(payload)
  if (!event) throw unreadable('This request is not a valid GitHub event.')
  return event
}

const factsOf = ({ repository, ref, after, head_commit, sender }: GitHubEvent) => ({
  repository: repository?.full_name ?? null,
  ref: ref ? (refOf(ref)?.name ?? ref) : null,
  sha: head_commit?.id ?? after ?? null,
  message: head_commit ? firstLine(head_commit.message) : null,
  sender: sender?.login ?? null,
  tagged_at: ref && refOf(ref)?.kind === 'tag' ? (timeOf(head_commit) ?? null) : null,
  pushed_at: typeof repository?.pushed_at === 'number' ? new Date(repository.pushed_at * 1_000) : null,
})
