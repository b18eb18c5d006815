import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { createFairQueue } from '../../platform/fair-queue.ts'
import { groupBy } from '../../platform/group-by.ts'
import {
  type CheckTarget,
  chooseCheckTarget,
  listCheckTargets,
  checkUrl,
  checkNetwork,
} from './check-targets.ts'
import { type CheckResult, runHttpCheck, type HttpCheck } from './http-check.ts'

export interface DueCheck {
  workspace_id: Id<'workspace'>
  alert_id: Id<'alert'>
  application_id: Id<'application'>
  asked: HttpCheck
}

type Result = Omit<DueCheck, 'asked'> & CheckResult & { at: string; url: string }

/** Limits concurrent checks overall and per workspace, because all domains of one may hang. */
const [maxConcurrent, maxPerWorkspace] = [20, 10]

const keyOf = ({ alert_id, application_id }: Pick<DueCheck, 'alert_id' | 'application_id'>) =>
  `${alert_id} ${application_id}`

/** Runs checks in the background and writes their results. */
export function createHttpChecks(ctx: Context, signal: AbortSignal) {
  const inProgress = new Set<string>()
  const waiting = createFairQueue<{ check: DueCheck; addresses: CheckTarget[] }>(maxPerWorkspace)
  let results: Result[] = []
  let calls = 0
  let writing = false
  /** One controller per request: listeners on the long-lived signal would accumulate. */
  const stops = new Set<AbortController>()
  const quiet: (() => void)[] = []
  signal.addEventListener('abort', () => {
    for (const { check } of waiting.clear()) inProgress.delete(keyOf(check))
    for (const stop of stops) stop.abort(signal.reason)
    tellIfQuiet()
  })

  async function take(due: DueCheck[]): Promise<void> {
    try {
      const found = groupBy(await listCheckTargets(ctx.db, due), keyOf)
      for (const check of due) {
        const addresses = found.get(keyOf(check))
        if (addresses && !signal.aborted) waiting.add(check.workspace_id, { check, addresses })
        else inProgress.delete(keyOf(check))
      }
    } catch (error) {
      for (const check of due) inProgress.delete(keyOf(check))
      ctx.log.warn({ error: String(error) }, 'Could not list the URLs of HTTP checks')
    }
    callNext()
  }

  function callNext() {
    while (calls < maxConcurrent) {
      const next = waiting.take()
      if (!next) break
      calls++
      const { check, addresses } = next.one
      void call(check, addresses).finally(() => {
        calls--
        next.done()
        inProgress.delete(keyOf(check))
        callNext()
      })
    }
    tellIfQuiet()
  }

  async function call({ asked, ...of }: DueCheck, addresses: CheckTarget[]): Promise<void> {
    const stop = new AbortController()
    stops.add(stop)
    try {
      const address = await chooseCheckTarget(ctx, addresses)
      if (!address) return
      stop.signal.throwIfAborted()
      const url = checkUrl(address, asked.path)
      const answered = await runHttpCheck(url, asked, {
        ...(await checkNetwork(ctx, address)),
        signal: stop.signal,
      })
      results.push({ ...of, ...answered, url: url.href, at: ctx.now().toISOString() })
      void write()
    } catch (error) {
      if (!signal.aborted) ctx.log.warn({ error: String(error) }, 'Could not run an HTTP check')
    } finally {
      stops.delete(stop)
    }
  }

  /** Results that arrive during a write are written together in the next one. */
  async function write(): Promise<void> {
    if (writing) return
    writing = true
    while (results.length > 0) {
      const some = results
      results = []
      try {
        await insertResults(ctx.db, some)
      } catch (error) {
        ctx.log.warn({ error: String(error) }, 'Could not save the results of HTTP checks')
      }
    }
    writing = false
    tellIfQuiet()
  }

  const isQuiet = () => inProgress.size === 0 && calls === 0 && !writing
  function tellIfQuiet() {
    if (isQuiet()) for (const tell of quiet.splice(0)) tell()
  }

  return {
    /** Returns immediately. Skips checks that are still in progress. */
    start(due: readonly DueCheck[]): void {
      if (signal.aborted) return
      const fresh = due.filter((check) => !inProgress.has(keyOf(check)))
      for (const check of fresh) inProgress.add(keyOf(check))
      if (fresh.length > 0) void take(fresh)
    },
    /** Resolves when no check is in progress. */
    idle: (): Promise<void> =>
      isQuiet() ? Promise.resolve() : new Promise<void>((resolve) => quiet.push(resolve)),
  }
}

/** Skips results of alerts or applications that were deleted in the meantime. */
async function insertResults(db: Context['db'], results: Result[]): Promise<void> {
  await sql`
    insert into checks (workspace_id, alert_id, application_id, at, ok, url, status, latency_ms, error)
    select r.* from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) as r (workspace_id text, alert_id text,
      application_id text, at timestamptz, ok boolean, url text, status integer, latency_ms integer, error text)
    where exists (select from alerts a where a.workspace_id = r.workspace_id and a.id = r.alert_id)
      and exists (select from applications a where a.workspace_id = r.workspace_id and a.id = r.application_id)
    on conflict do nothing`.execute(db)
}
