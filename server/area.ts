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

/** Hooks run in the order of the areas. A function that they return is called at shutdown, in reverse order. */
export interface StartHooks {
  beforeRoles?: (ctx: Context) => StartResult
  /** Runs with the worker role. `db` is a small separate pool, so that an exhausted pool does not cost leases. */
  withWorker?: (ctx: Context, worker: { db: Db; watchers: Watcher[] }) => Stop
  onceListening?: (ctx: Context) => StartResult
  /** Runs in every role, after the roles have started, and stops before them. */
  afterRoles?: (ctx: Context) => StartResult
}

type Stop = () => unknown
type StartResult = void | Stop | Promise<void | Stop>
