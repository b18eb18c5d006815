import { afterAll, expect, vi } from 'vitest'
import { getApplication } from '../contract/applications.ts'
import type { Id } from '../contract/ids.ts'
import { startSlipway } from './context.ts'
import { startDeployer, startShops } from './deployments.ts'
import { makeServer, makeTeam } from './factories.ts'
import { loadApp } from './rig/load-app.ts'
import { takeSetUpHost } from './setups.ts'
import { type Moment, watchSteps } from './watch-steps.ts'

type Shop = Id<'application'>
type Deployment = Awaited<ReturnType<ReturnType<typeof startDeployer>['request']>>

/** A server whose proxy runs, applications to deploy to it, and a Slipway. Who does the work is up to the tests. */
export async function openFaultStage() {
  const host = await takeSetUpHost()
  await loadApp(host, '1')
  const slipway = await startSlipway({ PROXY_IMAGE: host.image.name })
  afterAll(() => slipway.close())
  const { workspace, member } = await makeTeam(slipway.db)
  const server = await makeServer(slipway.ctx, workspace, host)
  const deployer = startDeployer(slipway, member.token)
  const shops = startShops(slipway, { workspace, server, host })
  const steps = await watchSteps(slipway)

  const listNeverLive = (shop: Shop) =>
    slipway.db
      .selectFrom('releases')
      .select('number')
      .where('application_id', '=', shop)
      .where('live_at', 'is', null)
      .execute()

  return {
    host,
    slipway,
    workspace,
    token: member.token,
    ...deployer,
    ...shops,
    isIn: steps.isIn,
    /** Begins a deployment, and has this happen as soon as it is there. */
    during: async (
      shop: Shop,
      moment: Moment,
      fault: (deployment: Deployment) => Promise<unknown>,
      begin: (shop: Shop) => Promise<Deployment> = deployer.request,
    ) => {
      const reached = steps.next(shop, moment)
      const deployment = await begin(shop)
      const over = deployer.ended(deployment.id, 120_000)
      over.catch(() => {})
      const late = over.then(({ status, errors }) => {
        throw new Error(`It was ${status} before it came to ${moment}: ${errors.join(' ')}`)
      })
      await Promise.race([reached, late])
      await fault(deployment)
      return deployment
    },
    /** Waits until it is over and nothing of it is left half done: `versions` are the one before and the new one. */
    untilSettled: async (
      shop: Shop,
      address: string,
      id: string,
      versions: { old: string; next: string },
    ) => {
      const over = await deployer.ended(id, 120_000)
      const version = over.status === 'completed' ? versions.next : versions.old
      await vi.waitFor(
        async () => {
          expect(await shops.visit(address)).toContain(`${version} `)
          expect(await deployer.instancesOf(shop)).toMatchObject([{ state: 'serving', drain_until: null }])
          expect(await shops.containersOf(shop)).toHaveLength(1)
          expect(await listNeverLive(shop)).toEqual([])
          const asked = { token: member.token, params: { id: shop } }
          const { application } = await slipway.ok(getApplication, asked)
          expect(application).toMatchObject({ state: 'running', reason: null })
        },
        { timeout: 90_000, interval: 200 },
      )
      expect(over.steps.filter(({ status }) => status === 'running' || status === 'waiting')).toEqual([])
      expect(over.errors.length > 0).toBe(over.status === 'failed')
      return over
    },
  }
}
