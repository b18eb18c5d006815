import type { Id } from '../../../../contract/shared/ids.ts'
import type { Db } from '../../../tables.ts'
import type { Watched } from '../definition.ts'

export const STEP_SECONDS = 300
export const STEP = STEP_SECONDS * 1_000
/** One of those that an alert would look at. */
export interface Looked {
  /** Tells it apart from all others: Docker's id of a container is the same in every row of its machine. */
  key: string
  id: string
  name: string
  server_id: Id<'server'> | null
  cpus: number | null
  status: string | null
  created_at: Date | null
  expires_at: Date | null
}

/** Whose past is asked for, and from when to when, in milliseconds. */
export interface Asked {
  db: Db
  workspaceId: Id<'workspace'>
  watched: Watched
  subjects: readonly Looked[]
  since: number
  until: number
}

export interface Point {
  at: number
  value: number
}

/** What was so from a moment on, for so long. */
export interface Seen {
  at: number
  lasts: number
  value: number | boolean
}

export interface Past {
  /** What is drawn, one for a step. */
  points: Point[]
  /** What is judged. */
  seen: Seen[]
}

/** By the keys of subjects; one that nothing is known of is not there. */
export type Pasts = Map<string, Past>

/** A mean of a step stands for all of it. */
export const pastOfMeans = (points: Point[]): Past => ({
  points,
  seen: points.map(({ at, value }) => ({ at, lasts: STEP, value })),
})

/** What is otherwise from each of these moments on, and the same in between. */
export function pastOf(
  changes: readonly number[],
  valueAt: (at: number) => number | boolean,
  { since, until }: Pick<Asked, 'since' | 'until'>,
): Past {
  const moments = [since, ...changes.filter((at) => at > since && at < until)].toSorted((a, b) => a - b)
  const seen = moments.map((at, index) => ({
    at,
    lasts: (moments[index + 1] ?? until) - at,
    value: valueAt(at),
  }))
  return { points: drawn(seen, until), seen }
}

/** The most of each step. */
function drawn(seen: readonly Seen[], until: number): Point[] {
  const steps = new Map<number, number>()
  for (const { at, lasts, value } of seen)
    for (let step = Math.floor(at / STEP) * STEP; step < Math.min(at + lasts, until); step += STEP)
      steps.set(step, Math.max(steps.get(step) ?? 0, Number(value)))
  return [...steps].map(([at, value]) => ({ at, value }))
}
