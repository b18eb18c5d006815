import type { Watcher } from './areas/servers/watcher.ts'
import type { Context } from './context.ts'
import type { Listeners } from './events.ts'
import type { Job } from './platform/jobs.ts'
import type { Schedule } from './platform/schedules.ts'
import type { Route } from './route.ts'
import type { Db } from './tables.ts'

/** A part of the product, as its `area.ts` describes it to the process. */
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
  /** Runs in every role, before jobs run and requests are accepted. */
  beforeRoles?: (ctx: Context) => StartResult
  /** Runs with the worker role. `db` is a small separate pool, so that an exhausted pool does not cost leases. */
  withWorker?: (ctx: Context, worker: { db: Db; watchers: Watcher[] }) => Stop
  /** Runs with the web role, once requests are accepted. */
  onceListening?: (ctx: Context) => StartResult
  /** Runs in every role, after the roles have started, and stops before them. */
  afterRoles?: (ctx: Context) => StartResult
}

type Stop = () => unknown
type StartResult = void | Stop | Promise<void | Stop>
