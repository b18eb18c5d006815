import { getHealth } from '../../contract/health.ts'
import { Problem } from '../errors.ts'
import { route } from '../route.ts'
import { version } from '../version.ts'

export const healthRoute = route(getHealth, async (ctx) => {
  const state = ctx.health()
  if (!state.ok) throw new Problem(503, 'not_ready', state.why, 2)
  await ctx.pool.query('select 1')
  return { status: 'ready' as const, version }
})
