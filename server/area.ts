import type { Watcher } from './areas/servers/watcher.ts'
import type { Context } from './context.ts'
import type { Listeners } from './events.ts'
import type { Job } from './platform/jobs.ts'
import type { Schedule } from './platform/schedules.ts'
import type { Route } from './route.ts'
import type { Db } from './tables.ts'

export interface Area {
  name: string
  routes?: Route[]
  jobs?: Job<Context>[]
  schedules?: Schedule[]
  listeners?: Listeners[]
  watchers?: Watcher[]
  start?: StartHooks
}

/**
 * The following hooks run in the order of the areas. A function that a hook returns is called at shutdown, in reverse
 * order.
 */
export interface StartHooks {
  beforeRoles?: (ctx: Context) => StartResult
  /**
   * Runs in processes with the worker role. `db` has a small pool of its own, so that an exhausted main pool does not
   * cost leases.
   */
  withWorker?: (ctx: Context, worker: { db: Db; watchers: Watcher[] }) => Stop
  onceListening?: (ctx: Context) => StartResult
  /** Runs in every process, after its roles have started, and stops before them. */
  afterRoles?: (ctx: Context) => StartResult
}

type Stop = () => unknown
type StartResult = void | Stop | Promise<void | Stop>
