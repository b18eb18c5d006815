import type { z } from 'zod'
import type { AlertKindName } from '../../../contract/shared/alert-kinds.ts'
import type { previewAlert as endpoint } from '../../../contract/alerts.ts'
import type { Context } from '../../context.ts'
import type { Actor } from '../../route.ts'
import { mustFit } from './check-definition.ts'
import { type Watched, watchedOf } from './definition.ts'
import { judge, type Standing } from './judge.ts'
import { readAnswers } from './preview/answers.ts'
import { readDays } from './preview/days.ts'
import { readMeans } from './preview/means.ts'
import { type Asked, type Past, type Pasts, type Point, STEP, STEP_SECONDS } from './preview/past.ts'
import { listSubjects } from './preview/subjects.ts'
import { readTroubles } from './preview/troubles.ts'
import { readFailures, readReach } from './preview/turns.ts'
import { mustBeThere } from './scope.ts'

const DAY = 86_400_000
/** As many as a chart can show. */
const MOST_SERIES = 5

/** What the last day looked like to such an alert. */
export async function previewAlert(ctx: Context, actor: Actor, given: z.output<typeof endpoint.body>) {
  const { db } = ctx
  const { id: workspaceId } = actor.workspace
  const watched = watchedOf(given)
  mustFit(given.kind, watched)
  await mustBeThere(db, workspaceId, watched.scope)
  const { subjects, total } = await listSubjects(db, workspaceId, given.kind, watched)
  const until = ctx.now().getTime()
  const since = Math.floor((until - DAY) / STEP) * STEP
  const read = pasts[given.kind]
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
      .slice(0, MOST_SERIES)
      .map(present),
  }
}

/** How the past of each kind is known. That of the state of containers is not kept. */
const pasts: Partial<Record<AlertKindName, (asked: Asked) => Promise<Pasts>>> = {
  server_unreachable: readReach,
  cpu: readMeans('cpu'),
  memory: readMeans('memory'),
  disk: readMeans('disk'),
  load: readMeans('load'),
  container_cpu: readMeans('container_cpu'),
  container_memory: readMeans('container_memory'),
  container_restarting: readTroubles('restart'),
  container_oom: readTroubles('oom'),
  deployment_failed: readFailures,
  http_check: readAnswers,
  certificate_expiry: readDays,
}

/** As long as the judge counts between two readings. */
const MINUTE = 60_000

function firingTimes(watched: Watched, { seen }: Past): number[] {
  const firedAt: number[] = []
  let standing: Standing | undefined
  for (const { at, lasts, value } of seen)
    for (let moment = at; moment === at || moment < at + lasts; moment += MINUTE) {
      const judged = judge(watched, standing, value, moment)
      standing = judged.standing
      if (judged.change === 'firing') firedAt.push(moment)
      // What is well stays so for as long as this lasts.
      if (!standing) break
    }
  return firedAt
}

/** The greater, the nearer to what is bad it came. */
function nearness({ comparison }: Watched, { points }: { points: Point[] }): number {
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
