import type { ReleaseConfig } from '../config.ts'

type Restart = ReleaseConfig['restart']

/** Maps Docker restart policies to ours. */
export const toRestartPolicy = (policy: string | undefined): Restart => {
  if (policy === 'always' || policy === 'unless-stopped') return 'always'
  return policy === 'on-failure' ? 'on-failure' : 'no'
}

/** Exit codes after SIGTERM, SIGKILL and SIGINT. */
const terminated = 143

/** Docker restarts containers that exit by themselves, so one that stays down was stopped manually. */
export function wasStoppedManually(restart: Restart, code: number | null): boolean {
  if (restart === 'always') return true
  return restart === 'on-failure' ? code !== 0 : code === terminated
}
