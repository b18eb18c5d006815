import type { Release } from './queries.ts'

/** A release can be rolled back to if it was live before and its image is still on the server. */
export const canRollBackTo = ({
  image_available: available,
  current,
  live_at: live,
}: Pick<Release, 'image_available' | 'current' | 'live_at'>) => available && !current && live !== null

/** Returns the release that was live most recently. */
export const findLatestLive = <R extends Pick<Release, 'live_at'>>(releases: readonly R[]): R | undefined =>
  releases.toSorted((a, b) => (b.live_at ?? '').localeCompare(a.live_at ?? ''))[0]
