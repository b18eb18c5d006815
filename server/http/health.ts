import { getHealth } from '../../contract/health.ts'
import { notReady } from '../errors.ts'
import { route } from '../route.ts'
import { version } from '../version.ts'

export const healthRoute = route(getHealth, async (ctx) => {
  const state = ctx.health()
  if (!state.ok) throw notReady(state.reason)
  // Does not use the pool, whose connections may all be busy while the database is healthy.
  await ctx.bus.ping().catch(() => ctx.pool.query('select 1'))
  return { status: 'ready' as const, version }
})
