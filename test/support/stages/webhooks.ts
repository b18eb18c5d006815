import type { Insertable } from 'kysely'
import { onTestFinished, vi } from 'vitest'
import type { Id } from '../../../contract/shared/ids.ts'
import { listDeliveries } from '../../../contract/webhooks.ts'
import { jobs } from '../../../server/areas/webhooks/area.ts'
import { connectDatabase } from '../../../server/platform/db.ts'
import type { Tables } from '../../../server/tables.ts'
import { startWorker, type Worker } from '../../../server/work/worker.ts'
import { makeApplication, makeSource } from '../factories/application-factories.ts'
import { startSlipway } from './context.ts'
import { makeIntegration, makeServer, makeTeam, nowhere, unique } from '../factories/factories.ts'
import { startFakeGitHub } from '../fakes/github.ts'

/** Slipway with GitHub webhooks. Nothing is built: deployments stay queued. */
export async function openWebhookStage(env: Record<string, string> = {}) {
  const github = await startFakeGitHub()
  const slipway = await startSlipway({ ...github.appEnv, ...env })
  const { ctx, db } = slipway
  github.app.hookUrl = `${await slipway.listen()}/v1/events/github`
  const { workspace, ...people } = await makeTeam(db)
  const server = await makeServer(ctx, workspace, nowhere())
  const { token } = people.owner

  /** A connected account with one repository. */
  async function connectRepository(files: Record<string, string> = { 'README.md': 'Hello' }) {
    const login = unique('octo')
    github.addAccount(login)
    const name = `${login}/hello`
    const { id } = await github.addRepository(name, files)
    const installation = github.installApp(login)
    const integration = await makeIntegration(db, workspace, installation)
    const makeShop = async (given: Partial<Insertable<Tables['sources']>> = {}) => {
      const shop = await makeApplication(db, workspace, server)
      await makeSource(db, workspace, shop, {
        integration_id: integration,
        repository_id: id,
        repository: name,
        ...given,
      })
      return shop
    }
    return { name, login, installation, integration, makeShop }
  }

  /** Processes deliveries until stopped or the test ends. */
  function work(): Worker {
    const own = connectDatabase<Tables>({ ...slipway.database.connection, max: 2 }, ctx.log)
    const { bus, secrets, log } = ctx
    const worker = startWorker({ ctx, db: own.db, bus, secrets, jobs, schedules: [], log })
    let stopped: Promise<void> | undefined
    const stop = () => (stopped ??= worker.stop().then(() => own.pool.end()))
    onTestFinished(stop)
    return { stop }
  }

  const deliveries = async (application_id?: Id<'application'>) =>
    (await slipway.ok(listDeliveries, { token, query: { ...(application_id && { application_id }) } }))
      .deliveries

  /** Latest delivery once all are processed. */
  async function handled(application: Id<'application'>) {
    const all = await vi.waitFor(
      async () => {
        if ((await deliveries()).some(({ status }) => status === 'waiting'))
          throw new Error('Some were not looked at yet.')
        return deliveries(application)
      },
      { interval: 50 },
    )
    const [newest] = all
    if (!newest) throw new Error('There is none.')
    return newest
  }

  const deploymentsOf = (application: Id<'application'>) =>
    db.selectFrom('deployments').selectAll().where('application_id', '=', application).orderBy('id').execute()

  return {
    github,
    slipway,
    db,
    ctx,
    workspace,
    server,
    people,
    token,
    connectRepository,
    work,
    deliveries,
    handled,
    deploymentsOf,
    close: async () => {
      await slipway.close()
      await github.close()
    },
  }
}
