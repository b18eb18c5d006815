import type { Release } from './queries.ts'

/** Whether one can go back to it: it was live, its image is still there, and it is not what runs. */
export const isWayBack = ({ kept, current, live_at: live }: Pick<Release, 'kept' | 'current' | 'live_at'>) =>
  kept && !current && live !== null

/** The one that took the traffic last. */
export const latestLive = <R extends Pick<Release, 'live_at'>>(releases: readonly R[]): R | undefined =>
  releases.toSorted((a, b) => (b.live_at ?? '').localeCompare(a.live_at ?? ''))[0]
