import type { z } from 'zod'
import type { AlertKindName } from '../../../contract/shared/alert-kinds.ts'
import type { previewAlert as endpoint } from '../../../contract/alerts.ts'
import type { Context } from '../../context.ts'
import type { Actor } from '../../route.ts'
import { assertValidDefinition } from './validate-definition.ts'
import { type AlertCondition, toAlertCondition } from './definition.ts'
import { evaluateReading, type AlertState } from './evaluate.ts'
import { readCheckHistory } from './preview/check-history.ts'
import { readCertificateHistory } from './preview/certificate-history.ts'
import { readMetricHistory } from './preview/metric-history.ts'
import {
  type PreviewQuery,
  type SubjectHistory,
  type SubjectHistories,
  type Point,
  STEP,
  STEP_SECONDS,
} from './preview/history.ts'
import { listSubjects } from './preview/subjects.ts'
import { readTroubleHistory } from './preview/trouble-history.ts'
import { readDeploymentHistory, readReachabilityHistory } from './preview/event-history.ts'
import { assertScopeExists } from './scope.ts'

const DAY = 86_400_000
const MAX_SERIES = 5

export async function previewAlert(ctx: Context, actor: Actor, input: z.output<typeof endpoint.body>) {
  const { db } = ctx
  const { id: workspaceId } = actor.workspace
  const watched = toAlertCondition(input)
  assertValidDefinition(input.kind, watched)
  await assertScopeExists(db, workspaceId, watched.scope)
  const { subjects, total } = await listSubjects(db, workspaceId, input.kind, watched)
  const until = ctx.now().getTime()
  const since = Math.floor((until - DAY) / STEP) * STEP
  const read = histories[input.kind]
  const known = await read?.({ db, workspaceId, watched, subjects, since, until })
  const series = subjects.flatMap(({ key, id, name }) => {
    const past = known?.get(key)
    return past ? [{ id, name, points: past.points, firedAt: firingTimes(watched, past) }] : []
  })
  return {
    since: new Date(since).toISOString(),
    step_seconds: STEP_SECONDS,
    subjects: total,
    times_fired:
      series.length > 0 || (read && total === 0)
        ? series.reduce((sum, one) => sum + one.firedAt.length, 0)
        : null,
    series: series
      .toSorted((a, b) => b.firedAt.length - a.firedAt.length || nearness(watched, b) - nearness(watched, a))
      .slice(0, MAX_SERIES)
      .map(present),
  }
}

/** Histories by kind. Container states are not recorded, so their kinds have none. */
const histories: Partial<Record<AlertKindName, (asked: PreviewQuery) => Promise<SubjectHistories>>> = {
  server_unreachable: readReachabilityHistory,
  cpu: readMetricHistory('cpu'),
  memory: readMetricHistory('memory'),
  disk: readMetricHistory('disk'),
  load: readMetricHistory('load'),
  container_cpu: readMetricHistory('container_cpu'),
  container_memory: readMetricHistory('container_memory'),
  container_restarting: readTroubleHistory('restart'),
  container_oom: readTroubleHistory('oom'),
  deployment_failed: readDeploymentHistory,
  http_check: readCheckHistory,
  certificate_expiry: readCertificateHistory,
}

/** Matches the longest gap that the evaluation counts between two readings. */
const MINUTE = 60_000

function firingTimes(watched: AlertCondition, { seen }: SubjectHistory): number[] {
  const firedAt: number[] = []
  let standing: AlertState | undefined
  for (const { at, lasts, value } of seen)
    for (let moment = at; moment === at || moment < at + lasts; moment += MINUTE) {
      const judged = evaluateReading(watched, standing, value, moment)
      standing = judged.standing
      if (judged.change === 'firing') firedAt.push(moment)
      // A healthy subject stays healthy for the rest of this span.
      if (!standing) break
    }
  return firedAt
}

/** Higher values are closer to the threshold. */
function nearness({ comparison }: AlertCondition, { points }: { points: Point[] }): number {
  const values = points.map(({ value }) => (comparison === 'below' ? -value : value))
  return values.reduce((most, value) => Math.max(most, value), -Infinity)
}

interface Series {
  id: string
  name: string
  points: Point[]
  firedAt: number[]
}

const present = ({ id, name, points, firedAt }: Series) => ({
  id,
  name,
  points: points.map(({ at, value }) => ({
    at: new Date(at).toISOString(),
    value: Math.round(value * 100) / 100,
  })),
  fired_at: firedAt.map((at) => new Date(at).toISOString()),
})
