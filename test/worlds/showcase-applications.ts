import { createHash, randomBytes } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { Id } from '../../contract/shared/ids.ts'
import { newId } from '../../server/platform/ids.ts'
import type { Tables } from '../../server/tables.ts'
import type { Stage } from '../support/browser/stage.ts'
import {
  makeApplication,
  makeDeployment,
  makeRelease,
  makeSource,
} from '../support/factories/application-factories.ts'
import type { ShownApplication } from './showcase-entries.ts'
import { makeApplicationFigures } from './world-figures.ts'
import { makeVariables } from './world-settings.ts'
import { ago, day, hour } from './world-times.ts'

type Ctx = Stage['ctx']

interface Location {
  workspace: Id<'workspace'>
  server: Id<'server'>
  name: string
  shown: ShownApplication
}

const variables = { DATABASE_URL: 'postgres://shop:s3cret@postgres/shop', LOG_LEVEL: 'info' }

interface Placed extends Location {
  project: Id<'project'>
}

/** With the release before. */
export async function makePlaced(ctx: Ctx, { workspace, server, project, name, shown }: Placed) {
  const { db } = ctx
  const { image } = shown
  const id = await makeApplication(db, workspace, server, {
    name,
    slug: name,
    image,
    project_id: ['storefront', 'api', 'billing', 'redis', 'postgres'].includes(name) ? project : null,
    replicas: shown.containers,
    created_at: ago(130 * day),
  })
  if (shown.repository !== undefined) await makeBuilt(ctx, workspace, id, shown.repository)
  const at = ago(shown.age + 9 * day)
  const [release_id, deployment_id] = [newId('release'), newId('deployment')]
  const message = 'Update dependencies'
  const commit = commitOf(shown, message)
  const before = {
    id: release_id,
    deployment_id,
    image: image.replace(/[1-9]\d*$/, (last) => `${Number(last) - 1}`),
    commit,
  }
  await makeRelease(ctx, workspace, id, 13, { ...before, kept: true, live_at: at })
  const by = { id: deployment_id, actor_name: shown.by, tag: before.image, message, commit }
  await makeDeployment(db, workspace, { id, server }, { ...by, release_id, created_at: at })
  return id
}

function commitOf({ repository, by }: ShownApplication, message: string): string | null {
  if (repository === undefined) return null
  const sha = createHash('sha1').update(`${repository} ${message}`).digest('hex')
  return JSON.stringify({
    sha,
    message,
    author: by,
    branch: 'main',
    url: `https://github.com/${repository}/commit/${sha}`,
  })
}

async function makeBuilt({ db }: Ctx, workspace: Id<'workspace'>, id: Id<'application'>, repository: string) {
  const known = await db
    .selectFrom('integrations')
    .select('id')
    .where('workspace_id', '=', workspace)
    .executeTakeFirst()
  const integration_id = known?.id ?? newId('integration')
  if (!known)
    await db
      .insertInto('integrations')
      .values({
        id: integration_id,
        workspace_id: workspace,
        provider: 'github',
        installation_id: 5207,
        account_id: 4110,
        account: 'fjordcoffee',
        account_type: 'Organization',
        repositories: 'all',
      })
      .execute()
  await makeSource(db, workspace, id, { integration_id, repository_id: repository.length, repository })
}

interface Running extends Location {
  id: Id<'application'>
}

export async function makeRunning(ctx: Ctx, { workspace, server, name, shown, id }: Running) {
  const { db } = ctx
  const { image, repository } = shown
  const created_at = ago(shown.age)
  const finished_at = new Date(created_at.getTime() + 9_400)
  const [release_id, deployment_id] = [newId('release'), newId('deployment')]
  const commit = commitOf(shown, shown.message)
  await makeRelease(ctx, workspace, id, 14, {
    id: release_id,
    deployment_id,
    commit,
    image,
    kept: true,
    live_at: finished_at,
    config: JSON.stringify({
      ...releaseDefaults,
      image: repository ? '' : image,
      replicas: shown.containers,
    }),
    env_sealed: ctx.secrets.seal(
      `releases.env_sealed:${release_id}`,
      JSON.stringify(Object.entries(variables).map(([key, value]) => ({ key, value }))),
    ),
  })
  await makeDeployment(
    db,
    workspace,
    { id, server },
    {
      id: deployment_id,
      release_id,
      commit,
      created_at,
      started_at: created_at,
      finished_at,
      type: repository ? 'build_application' : 'deploy_application',
      actor_name: shown.by,
      tag: image,
      message: shown.message,
    },
  )
  const owner = { workspace_id: workspace, application_id: id }
  await makeContainers(ctx, { ...owner, server_id: server, release_id, deployment_id }, name, shown)
  const { traffic = 0, memory } = shown
  await makeApplicationFigures(db, owner, { traffic, memory: memory * 2 ** 20, seed: name.length })
  await makeVariables(ctx, owner, variables)
  if (shown.favicon !== undefined) await makeFavicon(ctx, { ...owner, release_id }, shown.favicon)
  if (shown.host !== undefined) await makeDomain(ctx, owner, shown.host, shown.expires ?? 60)
}

const releaseDefaults = {
  port: null,
  health: { type: 'auto', path: '/', within_seconds: 60 },
  memory_limit: null,
  cpu_limit: null,
  restart: 'always',
  stop_grace_seconds: 10,
  drain_seconds: 30,
  volumes: [],
}

type Serving = Pick<
  Insertable<Tables['instances']>,
  'workspace_id' | 'application_id' | 'server_id' | 'release_id' | 'deployment_id'
>

async function makeContainers({ db }: Ctx, of: Serving, name: string, shown: ShownApplication) {
  const { workspace_id, application_id, server_id } = of
  for (let replica = 1; replica <= shown.containers; replica++) {
    const id = newId('instance')
    const container_id = createHash('sha256').update(id).digest('hex')
    await db
      .insertInto('instances')
      .values({ id, ...of, replica, state: 'serving', container_id })
      .execute()
    await db
      .insertInto('containers')
      .values({
        workspace_id,
        application_id,
        server_id,
        id: container_id,
        instance_id: id,
        name: `${name}-14-${replica}-${id.slice(-4)}`,
        image: shown.image,
        image_id: `sha256:${createHash('sha256').update(shown.image).digest('hex')}`,
        state: 'running',
        health: 'healthy',
        ports: '[]',
        cpu: 0.02 + (shown.traffic ?? 1) / 150,
        memory_used: Math.round((shown.memory * 2 ** 20) / shown.containers),
        created_at: ago(shown.age),
        started_at: ago(shown.age),
      })
      .execute()
  }
}

async function makeFavicon(
  { db }: Ctx,
  owner: Pick<Serving, 'workspace_id' | 'application_id' | 'release_id'>,
  path: string,
) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${path}</svg>`
  await db
    .insertInto('favicons')
    .values({
      ...owner,
      key: randomBytes(16).toString('hex'),
      type: 'image/svg+xml',
      content: Buffer.from(svg),
      check_at: ago(-day),
    })
    .execute()
}

async function makeDomain(
  { db }: Ctx,
  owner: Pick<Serving, 'workspace_id' | 'application_id'>,
  host: string,
  days: number,
) {
  const { workspace_id } = owner
  await db
    .insertInto('domains')
    .values({ id: newId('domain'), ...owner, host, path: '/', https: true })
    .execute()
  await db
    .updateTable('host_names')
    .set({ checked_at: ago(hour), proof: 'server', verified_at: ago(90 * day) })
    .where('host', '=', host)
    .execute()
  await db
    .insertInto('certificates')
    .values({
      id: newId('certificate'),
      workspace_id,
      host,
      kind: 'acme',
      status: 'issued',
      issuer: 'Let’s Encrypt R11',
      expires_at: ago(-days * day),
    })
    .execute()
}
