import { sql } from 'kysely'
import { expect, vi } from 'vitest'
import type { TestSlipway } from './context.ts'

/** Running jobs and their workers. */
async function listHeld({ db }: Pick<TestSlipway, 'db'>) {
  const { rows } = await sql<{ id: string; held: string }>`
    select d.id, d.job_id || ' ' || coalesce(j.fence, 0) as held from deployments d
    left join jobs j on j.id = d.job_id where d.status in ('queued', 'running')`.execute(db)
  return rows
}

/**
 * Starts Slipway after a kill. Returns the milliseconds from ready until all deployments were resumed, because the
 * start itself depends on the machine.
 */
export async function resuming(
  slipway: Pick<TestSlipway, 'db'>,
  start: () => Promise<unknown>,
): Promise<number> {
  const before = await listHeld(slipway)
  await start()
  const began = Date.now()
  await vi.waitFor(
    async () => {
      const now = await listHeld(slipway)
      const left = before.filter(({ id, held }) => now.some((one) => one.id === id && one.held === held))
      expect(left).toEqual([])
    },
    { interval: 50 },
  )
  return Date.now() - began
}
