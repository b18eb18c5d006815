import { vi } from 'vitest'
import { getPull, pullImage } from '../../../contract/images.ts'
import type { TestSlipway } from './context.ts'

export function startPuller(slipway: TestSlipway, id: string, token: string) {
  const look = async (pullId: string) =>
    (await slipway.ok(getPull, { token, params: { id, pull_id: pullId } })).pull
  return {
    look,
    pull: async (image: string) =>
      (await slipway.ok(pullImage, { token, params: { id }, body: { image } })).pull,
    ended: (pullId: string, timeout = 120_000) =>
      vi.waitFor(
        async () => {
          const now = await look(pullId)
          if (now.finished_at === null) throw new Error(`It is ${now.status}: ${now.error}`)
          return now
        },
        { timeout, interval: 50 },
      ),
    /** Audit events of an image. */
    eventsOf: (image: string) =>
      slipway.db
        .selectFrom('events')
        .select(['type', 'actor_name', 'detail'])
        .where('target_name', '=', image)
        .orderBy('id')
        .execute(),
  }
}
