import { Problem, tooManyRequests, unreadable, integrationNotConfigured } from '../../errors.ts'
import type { Anonymous, BodyStart, RawBody } from '../../route.ts'
import { LRUCache } from 'lru-cache'
import type { Context } from '../../context.ts'
import { createHash, createHmac, type Hash, type Hmac, timingSafeEqual } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { receiveEvent } from '../../../contract/webhooks.ts'
import { newId } from '../../platform/ids.ts'
import { onWorkerThread } from '../../platform/worker-thread.ts'
import { transaction } from '../../platform/transaction.ts'
import { findWebhookSecret } from '../auth/github-app.ts'
import { deliveryQueueKey, sealPayload, listWorkspacesOfInstallation, insertDelivery } from './delivery.ts'
import { commitTime, firstLine, type GitHubEvent, parseGitHubEvent, parseRef } from './github-payloads.ts'
import { handleStripeEvent, stripeEvent } from '../billing/handle-stripe-event.ts'
import { stripeClient } from '../billing/stripe.ts'
import { isBillingOn } from '../workspaces/plan-access.ts'

export interface IncomingWebhook extends RawBody {
  address: Anonymous['address']
}

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
  // Use one transaction for all workspaces, because a partly stored delivery would not be redelivered.
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

const maxStripeBytes = 1_048_576

const signatureToleranceSeconds = 300

export async function receiveStripe(ctx: Context, webhook: IncomingWebhook): Promise<void> {
  if (!isBillingOn(ctx.config)) throw integrationNotConfigured('Billing', 'the operator')
  const signature = webhook.header('stripe-signature')
  if (!signature) throw rejectWebhook(ctx, webhook.address)
  const text = decodeBody(await webhook.read(maxStripeBytes))
  const { webhooks } = await stripeClient(ctx)
  const read = () => webhooks.constructEvent(text, signature, stripeSecret(ctx), signatureToleranceSeconds)
  await handleStripeEvent(ctx, readStripeEvent(ctx, webhook, read))
}

const stripeSecret = ({ config }: Context) => config.STRIPE_WEBHOOK_SECRET ?? ''

function readStripeEvent(ctx: Context, { address }: IncomingWebhook, read: () => unknown) {
  try {
    return stripeEvent.parse(read())
  } catch (error) {
    if (!(error instanceof Error) || !('type' in error))
      throw unreadable('This request is not a valid Stripe event.')
    // Most likely the secret belongs to another endpoint.
    ctx.log.warn(
      { address, reason: error.message.split('\n')[0] },
      'Rejected a Stripe event: check that STRIPE_WEBHOOK_SECRET belongs to this endpoint',
    )
    throw rejectWebhook(ctx, address)
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true })

export function decodeBody(bytes: Buffer): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw unreadable('The request body is not valid UTF-8.')
  }
}

/** Drops a last character of which the byte limit keeps only a part. */
export function decodeStart({ bytes, isTruncated }: BodyStart): string {
  const start = new TextDecoder('utf-8', { fatal: true })
  try {
    return start.decode(bytes, { stream: isTruncated })
  } catch {
    throw unreadable('The request body is not valid UTF-8.')
  }
}

const storedHeaderNames = [
  'user-agent',
  'content-type',
  'x-github-event',
  'x-github-delivery',
  'x-github-hook-id',
  'x-github-hook-installation-target-id',
  'x-github-hook-installation-target-type',
  'x-gitlab-event',
  'x-gitlab-instance',
  'x-gitea-event',
  'x-gitea-delivery',
  'x-forgejo-event',
  'x-forgejo-delivery',
  'x-gogs-event',
  'x-gogs-delivery',
  'x-event-key',
  'x-request-uuid',
]

export function storedHeaders(webhook: RawBody): Record<string, string> {
  const entries = storedHeaderNames.map((name) => [name, webhook.header(name)?.slice(0, 500)])
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

const failureWindowMs = 60_000
const freeFailures = 30

export const createFailedCallCache = () =>
  new LRUCache<string, { wrong: number }>({ max: 10_000, ttl: failureWindowMs })

/** Limits the rate of failed webhooks only, so that valid calls from a shared address still pass. */
export function rejectWebhook({ failedHookCalls: counts }: Context, address: string): Problem {
  const count = counts.get(address) ?? { wrong: 0 }
  count.wrong++
  if (count.wrong === 1) counts.set(address, count)
  return count.wrong > freeFailures
    ? tooManyRequests(Math.ceil(counts.getRemainingTTL(address) / 1_000))
    : wrongSecret()
}

const callsPerMinute = 60

export const createHookCallCache = () => new LRUCache<string, { calls: number }>({ max: 10_000, ttl: 60_000 })

/** Limits the rate of a hook: throws when the hook accepted too many calls in the current minute. */
export function countHookCall({ acceptedHookCalls: counts }: Context, hook: string): void {
  const count = counts.get(hook)
  if (!count) counts.set(hook, { calls: 1 })
  else if (count.calls >= callsPerMinute)
    throw tooManyRequests(Math.max(1, Math.ceil(counts.getRemainingTTL(hook) / 1_000)))
  else count.calls++
}

const wrongSecret = () =>
  new Problem(
    401,
    'wrong_secret',
    'Unknown hook, or wrong signature or secret. Check the URL and secret in the settings of the application, the GitHub App or the Stripe webhook.',
  )
