import { expect, vi } from 'vitest'
import { getApplication } from '../../../contract/applications.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { openShopStage } from './shop-stage.ts'
import { type Moment, watchSteps } from './watch-steps.ts'

type Shop = Id<'application'>
type Deployment = Awaited<ReturnType<Awaited<ReturnType<typeof openShopStage>>['request']>>

/** A server with a proxy, applications and Slipway; tests start the workers. */
export async function openFaultStage() {
  const stage = await openShopStage('1')
  const { slipway, member } = stage
  const steps = await watchSteps(slipway)

  const listNeverLive = (shop: Shop) =>
    slipway.db
      .selectFrom('releases')
      .select('number')
      .where('application_id', '=', shop)
      .where('live_at', 'is', null)
      .execute()

  return {
    ...stage,
    isIn: steps.isIn,
    /** Starts a deployment and triggers the fault. */
    during: async (
      shop: Shop,
      moment: Moment,
      fault: (deployment: Deployment) => Promise<unknown>,
      begin: (shop: Shop) => Promise<Deployment> = stage.request,
    ) => {
      const reached = steps.next(shop, moment)
      const deployment = await begin(shop)
      const over = stage.ended(deployment.id, 240_000)
      over.catch(() => {})
      const late = over.then(({ status, errors }) => {
        throw new Error(`It was ${status} before it came to ${moment}: ${errors.join(' ')}`)
      })
      await Promise.race([reached, late])
      await fault(deployment)
      return deployment
    },
    /** Waits until it is finished without leftovers: `versions` are the previous and the new one. */
    untilSettled: async (
      shop: Shop,
      address: string,
      id: string,
      versions: { old: string; next: string },
    ) => {
      const over = await stage.ended(id, 240_000)
      const version = over.status === 'completed' ? versions.next : versions.old
      await vi.waitFor(
        async () => {
          expect(await stage.visit(address)).toContain(`${version} `)
          expect(await stage.instancesOf(shop)).toMatchObject([{ state: 'serving', drain_until: null }])
          expect(await stage.containersOf(shop)).toHaveLength(1)
          expect(await listNeverLive(shop)).toEqual([])
          const asked = { token: member.token, params: { id: shop } }
          const { application } = await slipway.ok(getApplication, asked)
          expect(application).toMatchObject({ state: 'running', reason: null })
        },
        { interval: 200 },
      )
      expect(over.steps.filter(({ status }) => status === 'running' || status === 'waiting')).toEqual([])
      expect(over.errors.length > 0).toBe(over.status === 'failed')
      return over
    },
  }
}
