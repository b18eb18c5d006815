import type { Id } from '../../../../contract/shared/ids.ts'
import type { Db } from '../../../tables.ts'
import type { AlertCondition } from '../definition.ts'

export const STEP_SECONDS = 300
export const STEP = STEP_SECONDS * 1_000
/** One of those that an alert would look at. */
export interface PreviewSubject {
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
export interface PreviewQuery {
  db: Db
  workspaceId: Id<'workspace'>
  watched: AlertCondition
  subjects: readonly PreviewSubject[]
  since: number
  until: number
}

export interface Point {
  at: number
  value: number
}

/** What was so from a moment on, for so long. */
export interface ValueSpan {
  at: number
  lasts: number
  value: number | boolean
}

export interface SubjectHistory {
  /** What is drawn, one for a step. */
  points: Point[]
  /** What is judged. */
  seen: ValueSpan[]
}

/** By the keys of subjects; one that nothing is known of is not there. */
export type SubjectHistories = Map<string, SubjectHistory>

/** A mean of a step stands for all of it. */
export const toAveragesHistory = (points: Point[]): SubjectHistory => ({
  points,
  seen: points.map(({ at, value }) => ({ at, lasts: STEP, value })),
})

/** What is otherwise from each of these moments on, and the same in between. */
export function toHistory(
  changes: readonly number[],
  valueAt: (at: number) => number | boolean,
  { since, until }: Pick<PreviewQuery, 'since' | 'until'>,
): SubjectHistory {
  const moments = [since, ...changes.filter((at) => at > since && at < until)].toSorted((a, b) => a - b)
  const seen = moments.map((at, index) => ({
    at,
    lasts: (moments[index + 1] ?? until) - at,
    value: valueAt(at),
  }))
  return { points: drawn(seen, until), seen }
}

/** The most of each step. */
function drawn(seen: readonly ValueSpan[], until: number): Point[] {
  const steps = new Map<number, number>()
  for (const { at, lasts, value } of seen)
    for (let step = Math.floor(at / STEP) * STEP; step < Math.min(at + lasts, until); step += STEP)
      steps.set(step, Math.max(steps.get(step) ?? 0, Number(value)))
  return [...steps].map(([at, value]) => ({ at, value }))
}
