import type { ReleaseConfig } from '../config.ts'

type Restart = ReleaseConfig['restart']

/** Docker's word for when it starts a container again, as one of ours. */
export const restartOf = (policy: string | undefined): Restart => {
  if (policy === 'always' || policy === 'unless-stopped') return 'always'
  return policy === 'on-failure' ? 'on-failure' : 'no'
}

/** What a program ends with that is told to. */
const terminated = 143

/** Whether somebody stopped a container that ended so: Docker starts again what ends by itself, unless it is not to. */
export function wasStopped(restart: Restart, code: number | null): boolean {
  if (restart === 'always') return true
  return restart === 'on-failure' ? code !== 0 : code === terminated
}
