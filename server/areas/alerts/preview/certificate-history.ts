import { type PreviewQuery, toAveragesHistory, type SubjectHistories, STEP } from './history.ts'

const DAY = 86_400_000

export const readCertificateHistory = ({ subjects, since, until }: PreviewQuery): Promise<SubjectHistories> =>
  Promise.resolve(
    new Map(
      subjects.flatMap(({ key, created_at, expires_at }) => {
        if (!expires_at) return []
        const first = Math.max(since, Math.ceil((created_at?.getTime() ?? since) / STEP) * STEP)
        const steps = Array.from({ length: Math.max(0, Math.ceil((until - first) / STEP)) }, (_, index) => {
          const at = first + index * STEP
          return { at, value: Math.floor((expires_at.getTime() - at) / DAY) }
        })
        return [[key, toAveragesHistory(steps)]]
      }),
    ),
  )
