import type { Context } from '../../context.ts'
import { findGitHubApp } from '../auth/github-app.ts'
import { GitHubRefused } from '../auth/github-errors.ts'
import { appToken } from '../integrations/app-token.ts'
import { listSent, sendAgain, type SentByGitHub } from './sent-by-github.ts'
import { listKnown } from './store.ts'

/** So many at a time: the rest follows the next time. */
const most = 100
const firstPause = 5 * 60_000
const longestPause = 6 * 3_600_000

/**
 * GitHub sends nothing again by itself: what did not arrive, because Slipway was not there, is lost unless somebody asks
 * for it.
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
      ctx.log.info({ delivery: guid }, 'GitHub was asked to send again what did not arrive.')
    } catch (error) {
      if (!(error instanceof GitHubRefused)) throw error
      ctx.log.warn({ delivery: guid, code: error.code }, 'GitHub does not send this again.')
    }
  }
}

/** Those that never arrived, the oldest first, unless it is too soon to try once more. */
function missed(sent: SentByGitHub[], now: Date): SentByGitHub[] {
  const times = new Map<string, SentByGitHub[]>()
  for (const one of sent) times.set(one.guid, [...(times.get(one.guid) ?? []), one])
  return [...times.values()]
    .filter((all) => !all.some(({ status_code: code }) => code >= 200 && code < 300))
    .flatMap(([last, ...before]) => (last && isTime(last, before.length, now) ? [last] : []))
    .toReversed()
}

/** At once the first time, then after ever longer pauses. */
function isTime({ delivered_at }: SentByGitHub, before: number, now: Date): boolean {
  const pause = before === 0 ? 0 : Math.min(longestPause, firstPause * 2 ** (before - 1))
  return now.getTime() - delivered_at.getTime() >= pause
}
