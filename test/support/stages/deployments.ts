import { vi } from 'vitest'
import { deployApplication, getDeployment } from '../../../contract/deployments.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { changeApplication } from '../../../server/areas/applications/application.ts'
import { composeSealContext } from '../../../server/areas/applications/compose.ts'
import { computeRevision, readApplicationConfig } from '../../../server/areas/applications/config.ts'
import { newId } from '../../../server/platform/ids.ts'
import type { TestSlipway } from './context.ts'
import { makeApplication } from '../factories/application-factories.ts'
import { unique } from '../factories/factories.ts'
import type { RigServer } from '../rig/server.ts'

interface DeploymentServer {
  workspace: Id<'workspace'>
  server: Id<'server'>
  host: Pick<RigServer, 'exec'>
}

/** Computes the revision without a plan, which would ask the server. */
export async function readRevision({ db, ctx }: TestSlipway, id: Id<'application'>): Promise<string> {
  const row = await db.selectFrom('applications').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return computeRevision(ctx, await readApplicationConfig(ctx, db, row))
}

export function startDeployer(slipway: TestSlipway, token: string) {
  const look = async (id: string) => (await slipway.ok(getDeployment, { token, params: { id } })).deployment
  const ended = (id: string, timeout = 120_000) =>
    vi.waitFor(
      async () => {
        const now = await look(id)
        if (now.finished_at === null)
          throw new Error(`It is ${now.status}: ${now.errors.join(' ')}\n${now.data.logs.join('\n')}`)
        return now
      },
      { timeout, interval: 50 },
    )
  const request = async (application: Id<'application'>) => {
    const body = { revision: await readRevision(slipway, application) }
    return (await slipway.ok(deployApplication, { token, params: { id: application }, body })).deployment
  }

  return {
    look,
    ended,
    request,
    deploy: async (application: Id<'application'>) => ended((await request(application)).id),
    untilAt: (id: string, step: string, timeout = 120_000) =>
      vi.waitFor(
        async () => {
          const now = await look(id)
          const at = now.steps.find(({ status }) => status === 'running')?.name
          if (at !== step) throw new Error(`It is at ${at}: ${now.data.logs.join('\n')}`)
          return now
        },
        { timeout, interval: 20 },
      ),
    instancesOf: (application: Id<'application'>) =>
      slipway.db
        .selectFrom('instances')
        .selectAll()
        .where('application_id', '=', application)
        .orderBy('id')
        .execute(),
  }
}

/** Creates applications of rig/app and requests them from outside. */
export function startShops(
  { db, ctx }: { db: TestSlipway['db']; ctx: Pick<TestSlipway['ctx'], 'secrets'> },
  { workspace, server, host }: DeploymentServer,
) {
  return {
    /** Has a domain if given. */
    makeShop: async (address?: string, given: Parameters<typeof makeApplication>[3] = {}) => {
      const name = unique('shop')
      const health = JSON.stringify({ type: 'http', path: '/healthz', within_seconds: 30 })
      const image = 'rig/app:1'
      const id = await makeApplication(db, workspace, server, { name, slug: name, image, health, ...given })
      const domain = {
        id: newId('domain'),
        workspace_id: workspace,
        application_id: id,
        path: '/',
        https: false,
      }
      if (address)
        await db
          .insertInto('domains')
          .values({ ...domain, host: address })
          .execute()
      return id
    },
    /** Changes the source to this compose file. */
    setFile: async (application: Id<'application'>, text: string, services: string[] = []) => {
      const compose_sealed = ctx.secrets.seal(composeSealContext(application), text)
      const source = { image: null, source_type: 'compose', compose_sealed, services }
      await changeApplication(db, workspace, application, source)
    },
    setEnv: async (application_id: Id<'application'>, env: Record<string, string>) => {
      await db.deleteFrom('variables').where('application_id', '=', application_id).execute()
      for (const [position, [key, value]] of Object.entries(env).entries()) {
        const id = newId('variable')
        const value_sealed = ctx.secrets.seal(`variables.value_sealed:${id}`, value)
        await db
          .insertInto('variables')
          .values({ id, workspace_id: workspace, application_id, position, key, value_sealed })
          .execute()
      }
    },
    /** Docker names. */
    containersOf: async (application: Id<'application'>) => {
      const filter = `label=slipway.application=${application}`
      const names = await host.exec('docker', 'ps', '--all', '--format', '{{.Names}}', '--filter', filter)
      return names.split('\n').filter(Boolean)
    },
    /** Response for a visitor. */
    visit: (address: string, path = '/') =>
      host.exec('curl', '-sS', '--max-time', '30', '--header', `Host: ${address}`, `http://127.0.0.1${path}`),
  }
}
