import type { Id } from '../../../../contract/shared/ids.ts'
import type { Db } from '../../../tables.ts'
import type { AlertCondition } from '../definition.ts'

export const STEP_SECONDS = 300
export const STEP = STEP_SECONDS * 1_000
export interface PreviewSubject {
  /** Identifies the subject: Docker's ID alone is not unique, because several servers may be the same machine. */
  key: string
  id: string
  name: string
  server_id: Id<'server'> | null
  cpus: number | null
  status: string | null
  created_at: Date | null
  valid_from: Date | null
  expires_at: Date | null
}

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

export interface ValueSpan {
  at: number
  lasts: number
  value: number | boolean
}

export interface SubjectHistory {
  points: Point[]
  seen: ValueSpan[]
}

export type SubjectHistories = Map<string, SubjectHistory>

export const toAveragesHistory = (points: Point[]): SubjectHistory => ({
  points,
  seen: points.map(({ at, value }) => ({ at, lasts: STEP, value })),
})

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

function drawn(seen: readonly ValueSpan[], until: number): Point[] {
  const steps = new Map<number, number>()
  for (const { at, lasts, value } of seen)
    for (let step = Math.floor(at / STEP) * STEP; step < Math.min(at + lasts, until); step += STEP)
      steps.set(step, Math.max(steps.get(step) ?? 0, Number(value)))
  return [...steps].map(([at, value]) => ({ at, value }))
}
