import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { createFairQueue, createSemaphore, lazy } from '../../platform/async.ts'
import { groupBy } from '../../platform/group-by.ts'
import {
  checkNetwork,
  type CheckTarget,
  checkUrl,
  chooseCheckTargets,
  listCheckTargets,
} from './check-targets.ts'
import { type CheckResult, type HttpCheck, runHttpCheck, worstResult } from './http-check.ts'
import { readTrustedAuthorities } from '../../platform/net/trusted-authorities.ts'
import type { Db, Probe } from '../../tables.ts'
import { probeKey } from '../proxies/read-routing.ts'
import { isWatchedBy } from './engine-state.ts'
import { createChangeFilter } from './readings/servers.ts'
import type { AlertRow, ObservedSubject } from './observer.ts'

interface DueCheck {
  workspace_id: Id<'workspace'>
  alert_id: Id<'alert'>
  application_id: Id<'application'>
  check: HttpCheck
}

type Result = Omit<DueCheck, 'check'> & CheckResult & { at: string; url: string; probes: Probe[] }

/** Limits concurrent checks overall and per workspace, because all domains of one may hang. */
const [maxConcurrent, maxPerWorkspace] = [20, 10]
const maxPerApplication = 5

const checkKey = ({ alert_id, application_id }: Pick<DueCheck, 'alert_id' | 'application_id'>) =>
  `${alert_id} ${application_id}`

export function createHttpChecks(ctx: Context, signal: AbortSignal) {
  const inProgress = new Set<string>()
  const waiting = createFairQueue<{ check: DueCheck; targets: CheckTarget[] }>(maxPerWorkspace)
  const work = new Set<Promise<void>>()
  let calls = 0
  /** Undefined selects the certificate authorities that Node trusts by default. */
  const authorities = lazy(() => readTrustedAuthorities(ctx.config))
  /** Each request has its own controller, because listeners on the long-lived signal would accumulate. */
  const stops = new Set<AbortController>()
  signal.addEventListener('abort', () => {
    waiting.clear()
    for (const stop of stops) stop.abort(signal.reason)
  })

  function track(promise: Promise<void>) {
    work.add(promise)
    void promise.finally(() => work.delete(promise))
  }

  async function enqueue(due: DueCheck[]): Promise<void> {
    try {
      const targets = groupBy(await listCheckTargets(ctx.db, due), checkKey)
      for (const check of due) {
        const checkTargets = targets.get(checkKey(check))
        if (checkTargets && !signal.aborted) waiting.add(check.workspace_id, { check, targets: checkTargets })
        else inProgress.delete(checkKey(check))
      }
    } catch (error) {
      for (const check of due) inProgress.delete(checkKey(check))
      ctx.log.warn({ reason: String(error) }, 'Failed to list the URLs of HTTP checks')
    }
    startNext()
  }

  function startNext() {
    while (calls < maxConcurrent) {
      const next = waiting.take()
      if (!next) return
      calls++
      const { check, targets } = next.entry
      const call = runCheck(check, targets).finally(() => {
        calls--
        next.done()
        inProgress.delete(checkKey(check))
        startNext()
      })
      track(call)
    }
  }

  async function runCheck({ check, ...ids }: DueCheck, targets: CheckTarget[]): Promise<void> {
    const stop = new AbortController()
    stops.add(stop)
    try {
      const chosen = await chooseCheckTargets(ctx, targets)
      stop.signal.throwIfAborted()
      const limit = createSemaphore(maxPerApplication)
      const results = await Promise.all(
        chosen.map(async (target) => {
          const release = await limit.acquire(stop.signal)
          return probe(target, check, stop.signal).finally(release)
        }),
      )
      const worst = worstResult(results)
      if (!worst) return
      const probes = results.map(({ host }) => ({ host }))
      const { host: _, ...result } = worst
      await insertResult(ctx.db, { ...ids, ...result, probes, at: ctx.now().toISOString() })
    } catch (error) {
      if (!signal.aborted) ctx.log.warn({ reason: String(error) }, 'Failed to run an HTTP check')
    } finally {
      stops.delete(stop)
    }
  }

  async function probe(target: CheckTarget, check: HttpCheck, signal: AbortSignal) {
    const url = checkUrl(target, check.path)
    const [network, ca] = await Promise.all([checkNetwork(ctx, target), authorities()])
    const result = await runHttpCheck(url, check, {
      ...network,
      signal,
      ca,
      probeKey: probeKey(ctx, target.server.id),
    })
    return { ...result, host: target.host, url: url.href }
  }

  return {
    start(due: readonly DueCheck[]): void {
      if (signal.aborted) return
      const fresh = due.filter((check) => !inProgress.has(checkKey(check)))
      for (const check of fresh) inProgress.add(checkKey(check))
      if (fresh.length > 0) track(enqueue(fresh))
    },
    async idle(): Promise<void> {
      while (work.size > 0) await Promise.allSettled(work)
    },
  }
}

const insertResult = (db: Db, result: Result) =>
  sql`
    insert into checks (workspace_id, alert_id, application_id, at, ok, url, status, latency_ms, error, probes)
    select r.* from jsonb_to_record(${JSON.stringify(result)}::jsonb) as r (workspace_id text, alert_id text,
      application_id text, at timestamptz, ok boolean, url text, status integer, latency_ms integer, error text, probes jsonb)
    where exists (select from alerts a where a.workspace_id = r.workspace_id and a.id = r.alert_id)
      and exists (select from applications a where a.workspace_id = r.workspace_id and a.id = r.application_id)
    on conflict do nothing`.execute(db)

export function createDueChecks() {
  let dueAt = new Map<string, number>()

  return (alerts: readonly AlertRow[], applications: readonly ObservedSubject[], at: number): DueCheck[] => {
    if (alerts.length === 0) return []
    const byWorkspace = groupBy(applications, ({ subject }) => subject.workspace_id)
    const next = new Map<string, number>()
    const due: DueCheck[] = []
    for (const alert of alerts)
      for (const application of byWorkspace.get(alert.workspace_id) ?? []) {
        const { application_id, workspace_id } = application.subject
        if (!application_id || !alert.http_check || !isWatchedBy(alert, application)) continue
        const key = checkKey({ alert_id: alert.id, application_id })
        const time = dueAt.get(key) ?? at
        if (time <= at)
          due.push({ workspace_id, alert_id: alert.id, application_id, check: alert.http_check })
        next.set(key, time <= at ? at + alert.http_check.every_seconds * 1_000 : time)
      }
    dueAt = next
    return due
  }
}

export interface CheckRow {
  alert_id: Id<'alert'>
  application_id: Id<'application'>
  at: Date
  ok: boolean
  url: string
  error: string | null
}

export function createChecksReader(db: Db) {
  const isNew = createChangeFilter()
  return async (now: Date): Promise<CheckRow[]> => {
    const { rows } = await sql<CheckRow>`
      select distinct on (alert_id, application_id) alert_id, application_id, at, ok, url, error
      from checks
      where at between ${now}::timestamptz - interval '30 seconds' and ${now}::timestamptz + interval '30 seconds'
      order by alert_id, application_id, at desc`.execute(db)
    return rows.filter((row) => isNew(checkKey(row), row.at))
  }
}
