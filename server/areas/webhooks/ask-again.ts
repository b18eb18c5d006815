import type { Context } from '../../context.ts'
import { findGitHubApp } from '../auth/github-app.ts'
import { GitHubRefused } from '../auth/github-errors.ts'
import { appToken } from '../integrations/app-token.ts'
import { listKnown } from './store.ts'
import { z } from 'zod'
import { askGitHub, nextOf } from '../auth/github-api.ts'
import { serviceFailed } from '../../errors.ts'
import { exponentialBackoff } from '../../../contract/shared/backoff.ts'

/** Batch size per run. */
const most = 100
const firstPause = 5 * 60_000
const longestPause = 6 * 3_600_000

/**
 * Requests redelivery of webhooks that failed while Slipway was down: GitHub does not retry on its own.
 */
export async function askAgain(ctx: Context, signal: AbortSignal): Promise<void> {
  const app = await findGitHubApp(ctx)
  if (!app) return
  const now = ctx.now()
  const failed = missed(await listSent(ctx, appToken(app), now), now)
  const known = await listKnown(
    ctx.db,
    failed.map(({ guid }) => guid),
  )
  for (const { id, guid } of failed.filter((one) => !known.has(one.guid)).slice(0, most)) {
    signal.throwIfAborted()
    try {
      await sendAgain(ctx, appToken(app), id)
      ctx.log.info({ delivery: guid }, 'Requested redelivery of missed webhooks from GitHub')
    } catch (error) {
      if (!(error instanceof GitHubRefused)) throw error
      ctx.log.warn({ delivery: guid, code: error.code }, 'GitHub rejected a redelivery')
    }
  }
}

/** Missed deliveries, oldest first, that are due for a retry. */
function missed(sent: SentByGitHub[], now: Date): SentByGitHub[] {
  const times = new Map<string, SentByGitHub[]>()
  for (const one of sent) times.set(one.guid, [...(times.get(one.guid) ?? []), one])
  return [...times.values()]
    .filter((all) => !all.some(({ status_code: code }) => code >= 200 && code < 300))
    .flatMap(([last, ...before]) => (last && isTime(last, before.length, now) ? [last] : []))
    .toReversed()
}

/** Immediately at first, then with exponential backoff. */
function isTime({ delivered_at }: SentByGitHub, before: number, now: Date): boolean {
  const pause = before === 0 ? 0 : exponentialBackoff(before - 1, firstPause, longestPause)
  return now.getTime() - delivered_at.getTime() >= pause
}

/** One delivery attempt at GitHub. */
const sent = z.object({
  /** ID of the attempt; exceeds the safe integer range. */
  id: z.string(),
  /** ID of the delivery, the same for all attempts. */
  guid: z.string(),
  delivered_at: z.string().transform((text) => new Date(text)),
  status_code: z.number(),
})
type SentByGitHub = z.output<typeof sent>

/** GitHub's limit for redeliveries. */
const keptFor = 3 * 86_400_000
const mostPages = 30

/** Lists recent deliveries at GitHub, newest first. */
async function listSent(ctx: Context, token: string, now: Date): Promise<SentByGitHub[]> {
  const all: SentByGitHub[] = []
  const since = now.getTime() - keptFor
  let path: string | undefined = '/app/hook/deliveries?per_page=100'
  for (let pages = 0; path && pages < mostPages; pages++) {
    const answer: Response = await askGitHub(ctx, { path, token })
    const read = readPage(await answer.text())
    all.push(...read.filter(({ delivered_at }) => delivered_at.getTime() > since))
    const isAll = read.some(({ delivered_at }) => delivered_at.getTime() <= since)
    path = isAll ? undefined : nextOf(answer, path)
  }
  return all
}

function readPage(text: string): SentByGitHub[] {
  try {
    return z.array(sent).parse(JSON.parse(text.replace(/"id":\s*(\d+)/g, '"id":"$1"')))
  } catch {
    throw serviceFailed('GitHub', 'the delivery list has an unexpected format.')
  }
}

async function sendAgain(ctx: Context, token: string, id: string): Promise<void> {
  const path = `/app/hook/deliveries/${encodeURIComponent(id)}/attempts`
  const answer = await askGitHub(ctx, { method: 'POST', path, token })
  await answer.body?.cancel()
}
