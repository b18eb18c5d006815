import { createHash, createHmac, type Hash, type Hmac, timingSafeEqual } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { receiveEvent } from '../../../contract/webhooks.ts'
import type { Context } from '../../context.ts'
import { integrationNotConfigured, unreadable } from '../../errors.ts'
import { newId } from '../../platform/ids.ts'
import { onWorkerThread } from '../../platform/worker-thread.ts'
import { transaction } from '../../platform/transaction.ts'
import { findWebhookSecret } from '../auth/github-app.ts'
import { deliveryQueueKey, sealPayload } from './delivery.ts'
import { commitTime, firstLine, type GitHubEvent, parseGitHubEvent, parseRef } from './github-payloads.ts'
import { decodeBody, type IncomingWebhook, rejectWebhook, storedHeaders } from './incoming-webhook.ts'
import { listWorkspacesOfInstallation, insertDelivery } from './store.ts'

const parseOnWorkerThread = onWorkerThread(
  new URL('./github-payloads.js', import.meta.url),
  'parseGitHubEvent',
  parseGitHubEvent,
)

/** Duplicates are detected by body hash as well as delivery ID, since only the body is signed. */
export async function receiveGitHub(ctx: Context, webhook: IncomingWebhook): Promise<void> {
  const secret = await findWebhookSecret(ctx)
  if (secret === undefined) throw integrationNotConfigured('GitHub')
  // Headers are validated before the body is read, and the signature before it is parsed.
  const signature = readSignature(webhook)
  const [delivery, name] = [
    readShortHeader(webhook, 'x-github-delivery'),
    readShortHeader(webhook, 'x-github-event'),
  ]
  if (!signature || !delivery || !name) throw rejectWebhook(ctx, webhook.address)
  const bytes = await webhook.read(receiveEvent.mostBytes)
  const expected = await digest(createHmac('sha256', secret), bytes)
  if (!timingSafeEqual(expected, signature)) throw rejectWebhook(ctx, webhook.address)
  const payload = readPayload(webhook, bytes)
  const event = await parseEvent(payload)
  const installation = event.installation?.id
  if (installation === undefined) return
  const queue = deliveryQueueKey({ installation })
  const fields = {
    hook: 'github' as const,
    delivery,
    event: name,
    queue,
    installation_id: installation,
    ...toDeliveryFields(event),
    headers: JSON.stringify(storedHeaders(webhook)),
    body_hash: (await digest(createHash('sha256'), bytes)).toString('hex'),
  }
  const workspaces = await listWorkspacesOfInstallation(ctx.db, installation)
  // All workspaces in one transaction: a partly stored delivery would not be redelivered.
  await transaction(ctx.db, async (trx) => {
    for (const workspace_id of workspaces) {
      const id = newId('delivery')
      const row = { id, workspace_id, ...fields, payload_sealed: sealPayload(ctx, id, payload) }
      await insertDelivery(trx, ctx.secrets, row)
    }
  })
}

function readSignature(webhook: IncomingWebhook): Buffer | undefined {
  const [, hex] = /^sha256=([0-9a-f]{64})$/i.exec(webhook.header('x-hub-signature-256') ?? '') ?? []
  return hex === undefined ? undefined : Buffer.from(hex, 'hex')
}

const sliceBytes = 1_048_576

/** Hashing 25 MB takes 30 ms or more and is unauthenticated: yield to other requests after each megabyte. */
async function digest(hash: Hash | Hmac, bytes: Buffer): Promise<Buffer> {
  for (let offset = 0; offset < bytes.length; offset += sliceBytes) {
    if (offset > 0) await setImmediate()
    hash.update(bytes.subarray(offset, offset + sliceBytes))
  }
  return hash.digest()
}

function readShortHeader(webhook: IncomingWebhook, name: string): string | undefined {
  const value = webhook.header(name)
  return value && value.length <= 200 ? value : undefined
}

function readPayload(webhook: IncomingWebhook, bytes: Buffer): string {
  const text = decodeBody(bytes)
  if (!webhook.header('content-type')?.startsWith('application/x-www-form-urlencoded')) return text
  return new URLSearchParams(text).get('payload') ?? ''
}

/** Parsing 25 MB takes a quarter of a second: large events are parsed on a worker thread. */
async function parseEvent(payload: string): Promise<GitHubEvent> {
  const event =
    payload.length > sliceBytes ? await parseOnWorkerThread('github', payload) : parseGitHubEvent(payload)
  if (!event) throw unreadable('This request is not a valid GitHub event.')
  return event
}

const toDeliveryFields = ({ repository, ref, after, head_commit, sender }: GitHubEvent) => ({
  repository: repository?.full_name ?? null,
  ref: ref ? (parseRef(ref)?.name ?? ref) : null,
  sha: head_commit?.id ?? after ?? null,
  message: head_commit ? firstLine(head_commit.message) : null,
  sender: sender?.login ?? null,
  tagged_at: ref && parseRef(ref)?.kind === 'tag' ? (commitTime(head_commit) ?? null) : null,
  pushed_at: typeof repository?.pushed_at === 'number' ? new Date(repository.pushed_at * 1_000) : null,
})
