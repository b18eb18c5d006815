import type { Context } from '../../context.ts'
import { findGitHubApp } from '../auth/github-app.ts'
import { callGitHub, GitHubRequestFailed, nextPagePath } from '../auth/github-api.ts'
import { appToken } from '../integrations/installation-token.ts'
import { listReceivedGuids } from './delivery.ts'
import { z } from 'zod'
import { serviceFailed } from '../../errors.ts'
import { exponentialBackoff } from '../../../contract/shared/backoff.ts'

const batchSize = 100
const firstBackoff = 5 * 60_000
const maxBackoff = 6 * 3_600_000

/** Requests redelivery, because GitHub does not retry webhooks that failed while Slipway was down. */
export async function requestMissedDeliveries(ctx: Context, signal: AbortSignal): Promise<void> {
  const app = await findGitHubApp(ctx)
  if (!app) return
  const now = ctx.now()
  const failed = listDueRetries(await listAttempts(ctx, appToken(app), now), now)
  const received = await listReceivedGuids(
    ctx.db,
    failed.map(({ guid }) => guid),
  )
  for (const { id, guid } of failed.filter((attempt) => !received.has(attempt.guid)).slice(0, batchSize)) {
    signal.throwIfAborted()
    try {
      await requestRedelivery(ctx, appToken(app), id)
      ctx.log.info({ delivery: guid }, 'Requested redelivery of a missed webhook from GitHub')
    } catch (error) {
      if (!(error instanceof GitHubRequestFailed)) throw error
      ctx.log.warn(
        { delivery: guid, code: error.code },
        'Failed to request redelivery of a missed webhook from GitHub',
      )
    }
  }
}

function listDueRetries(attempts: DeliveryAttempt[], now: Date): DeliveryAttempt[] {
  const byGuid = new Map<string, DeliveryAttempt[]>()
  for (const attempt of attempts) byGuid.set(attempt.guid, [...(byGuid.get(attempt.guid) ?? []), attempt])
  return [...byGuid.values()]
    .filter((all) => !all.some(({ status_code: code }) => code >= 200 && code < 300))
    .flatMap(([last, ...before]) => (last && isRetryDue(last, before.length, now) ? [last] : []))
    .toReversed()
}

function isRetryDue({ delivered_at }: DeliveryAttempt, before: number, now: Date): boolean {
  const pause = before === 0 ? 0 : exponentialBackoff(before - 1, firstBackoff, maxBackoff)
  return now.getTime() - delivered_at.getTime() >= pause
}

const deliveryAttempt = z.object({
  id: z.string(),
  guid: z.string(),
  delivered_at: z.string().transform((text) => new Date(text)),
  status_code: z.number(),
})
type DeliveryAttempt = z.output<typeof deliveryAttempt>

/** GitHub redelivers webhooks of the last three days only. */
const redeliveryWindow = 3 * 86_400_000
const maxPages = 30

async function listAttempts(ctx: Context, token: string, now: Date): Promise<DeliveryAttempt[]> {
  const all: DeliveryAttempt[] = []
  const since = now.getTime() - redeliveryWindow
  let path: string | undefined = '/app/hook/deliveries?per_page=100'
  for (let pages = 0; path && pages < maxPages; pages++) {
    const response: Response = await callGitHub(ctx, { path, token })
    const read = readPage(await response.text())
    all.push(...read.filter(({ delivered_at }) => delivered_at.getTime() > since))
    const isAll = read.some(({ delivered_at }) => delivered_at.getTime() <= since)
    path = isAll ? undefined : nextPagePath(response, path)
  }
  return all
}

function readPage(text: string): DeliveryAttempt[] {
  try {
    return z.array(deliveryAttempt).parse(JSON.parse(text.replace(/"id":\s*(\d+)/g, '"id":"$1"')))
  } catch {
    throw serviceFailed('GitHub', 'the delivery list has an unexpected format.')
  }
}

async function requestRedelivery(ctx: Context, token: string, id: string): Promise<void> {
  const path = `/app/hook/deliveries/${encodeURIComponent(id)}/attempts`
  const response = await callGitHub(ctx, { method: 'POST', path, token })
  await response.body?.cancel()
}
