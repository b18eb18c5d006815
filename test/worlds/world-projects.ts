import { createHash } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { Id } from '../../contract/shared/ids.ts'
import { composeSealContext } from '../../server/areas/applications/compose.ts'
import { sealedEntries } from '../../server/areas/applications/config.ts'
import { newId } from '../../server/platform/ids.ts'
import type { Tables } from '../../server/tables.ts'
import { makeApplication, makeDeployment, makeRelease } from '../support/factories/application-factories.ts'
import { makeProject } from '../support/factories/project-factories.ts'
import { makeShownServer } from '../support/browser/shown-server.ts'
import type { Stage } from '../support/browser/stage.ts'
import { ago, day, hour, minute } from './world-times.ts'

type Ctx = Stage['ctx']

/**
 * A shop: storefront, a failed api and redis on app-1, postgres and a blog with its own MySQL on data-1. The api
 * reaches postgres by address, redis by host name; the storefront reaches the api by domain.
 */
export async function makeShopProject(ctx: Ctx, workspace: Id<'workspace'>, name = 'Harbor shop') {
  const project = await makeProject(ctx, workspace, name)
  const [app, data] = [
    await makeLiveServer(ctx, workspace, 'app-1', 20),
    await makeLiveServer(ctx, workspace, 'data-1', 21),
  ]
  const make = makePart(ctx, workspace, project)
  const storefront = await make('storefront', app, {
    image: 'ghcr.io/harbor/storefront:4.1.0',
    env: { API_URL: 'https://api.harbor.example/v1', SESSION_HOST: 'redis' },
    hosts: ['harbor.example', 'www.harbor.example'],
    containers: ['running', 'running'],
  })
  const api = await make('api', app, {
    image: 'ghcr.io/harbor/api:2.7.3',
    env: {
      DATABASE_URL: 'postgres://api:hunter2@203.0.113.21:5432/shop',
      REDIS_URL: 'redis://redis:6379/0',
      CACHE_DRIVER: 'redis',
    },
    hosts: ['api.harbor.example'],
    containers: ['exited'],
  })
  const redis = await make('redis', app, { image: 'redis:7.4', containers: ['running'] })
  const postgres = await make('postgres', data, { image: 'postgres:17', containers: ['running'] })
  await ctx.db
    .insertInto('published_ports')
    .values({
      id: newId('publishedPort'),
      workspace_id: workspace,
      application_id: postgres,
      source: 5432,
      target: 5432,
    })
    .execute()
  const blog = await make('blog', data, {
    image: null,
    services: { web: 'ghost:5', db: 'mysql:8.4' },
    hosts: ['blog.harbor.example'],
    containers: ['running', 'running'],
  })
  return { project, servers: { app, data }, applications: { storefront, api, redis, postgres, blog } }
}

async function makeLiveServer({ db }: Ctx, workspace: Id<'workspace'>, name: string, last: number) {
  const live = { containers_live: true, watched_until: ago(-day) }
  return makeShownServer(db, workspace, { name, address: `203.0.113.${last}`, ...live })
}

interface Part {
  image: string | null
  /** Images by service of a compose application. */
  services?: Record<string, string>
  env?: Record<string, string>
  hosts?: string[]
  containers: Insertable<Tables['containers']>['state'][]
}

const makePart =
  (ctx: Ctx, workspace_id: Id<'workspace'>, project_id: Id<'project'>) =>
  async (name: string, server: Id<'server'>, { image, services, env = {}, hosts = [], containers }: Part) => {
    const { db, secrets } = ctx
    const id = newId('application')
    const isCompose = services !== undefined
    await makeApplication(db, workspace_id, server, {
      id,
      name,
      slug: name,
      image,
      project_id,
      replicas: isCompose ? 1 : containers.length,
      ...(isCompose && {
        source_type: 'compose',
        services: Object.keys(services),
        compose_sealed: secrets.seal(composeSealContext(id), composeFile(services)),
      }),
    })
    const release_id = await makeRelease(ctx, workspace_id, id, 3, {
      image: image ?? '',
      config: JSON.stringify(releaseConfig(image ?? '', containers.length, services)),
    })
    const deployment_id = await makeDeployment(
      db,
      workspace_id,
      { id, server },
      { release_id, actor_name: 'Grace Hopper', created_at: ago(3 * hour) },
    )
    const owner = { workspace_id, application_id: id }
    const names = Object.keys(services ?? {})
    for (const [replica, state] of containers.entries()) {
      const service = names[replica] ?? ''
      const [instance, container_id] = [newId('instance'), hash(`${id} ${replica}`)]
      await db
        .insertInto('instances')
        .values({
          id: instance,
          ...owner,
          server_id: server,
          deployment_id,
          release_id,
          service,
          replica: isCompose ? 0 : replica,
          state: 'serving',
          container_id,
          project_network: name === 'blog' ? null : `slipway-${project_id}`,
        })
        .execute()
      await db
        .insertInto('containers')
        .values({
          ...owner,
          server_id: server,
          id: container_id,
          instance_id: instance,
          name: `${name}${service && `-${service}`}-3-${replica + 1}`,
          image: services?.[service] ?? image ?? '',
          image_id: `sha256:${hash(name)}`,
          state,
          exit_code: state === 'exited' ? 137 : null,
          ports: '[]',
          created_at: ago(3 * hour),
          started_at: ago(3 * hour),
          finished_at: state === 'exited' ? ago(20 * minute) : null,
        })
        .execute()
    }
    for (const [position, [key, value]] of Object.entries(env).entries()) {
      const variable = newId('variable')
      const now = () => new Date()
      const sealed = sealedEntries('variables').seal({ secrets, now }, variable, { key, value })
      await db
        .insertInto('variables')
        .values({ id: variable, ...owner, position, ...sealed })
        .execute()
    }
    for (const host of hosts)
      await db
        .insertInto('domains')
        .values({
          id: newId('domain'),
          ...owner,
          host,
          path: '/',
          https: true,
          service: names[0] ?? '',
        })
        .execute()
    return id
  }

const composeFile = (services: Record<string, string>) =>
  `services:\n${Object.entries(services)
    .map(([name, image]) => `  ${name}:\n    image: ${image}\n    environment: { DB_HOST: db }\n`)
    .join('')}`

const releaseConfig = (image: string, replicas: number, services: Record<string, string> | undefined) => ({
  image,
  port: null,
  health: { type: 'auto', path: '/', within_seconds: 60 },
  memory_limit: null,
  cpu_limit: null,
  replicas,
  restart: 'always',
  stop_grace_seconds: 10,
  drain_seconds: 30,
  volumes: [],
  ...(services && {
    services: Object.entries(services).map(([name, from]) => ({
      name,
      image: from,
      digest: null,
      image_id: `sha256:${hash(from)}`,
      hash: hash(name),
      replicas: 1,
      restart: 'always',
      stop_grace_seconds: 10,
      memory_limit: null,
      ports: [],
      completes: false,
    })),
  }),
})

const hash = (text: string) => createHash('sha256').update(text).digest('hex')
