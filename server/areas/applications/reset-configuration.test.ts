import { afterAll, describe, expect, test } from 'vitest'
import * as entries from '../../../contract/application-entries.ts'
import { getApplication, updateApplication } from '../../../contract/applications.ts'
import { listAudit } from '../../../contract/audit.ts'
import { getCompose } from '../../../contract/compose.ts'
import { listChanges, previewReset, resetConfiguration } from '../../../contract/releases.ts'
import { createDomain, listDomains } from '../../../contract/domains.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import {
  makeApplication,
  makeRelease,
  makeSource,
} from '../../../test/support/factories/application-factories.ts'
import {
  makeApiToken,
  makeServer,
  makeSomeone,
  makeTeam,
  makeWorkspace,
  nowhere,
} from '../../../test/support/factories/factories.ts'
import { makeProject } from '../../../test/support/factories/project-factories.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { newId } from '../../platform/ids.ts'
import { changeApplication, findApplication } from './application.ts'
import { readApplicationConfig } from './config.ts'
import { freezeConfig, releaseComposeSealContext, releaseEnvSealContext } from './release.ts'
import { composeSealContext } from './compose.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { db, ctx, ok, refused } = slipway
const { workspace, viewer, member, admin } = await makeTeam(db)
const server = await makeServer(ctx, workspace, nowhere(), { status: 'unreachable' })

const as = ({ token }: { token: string }, id: Id<'application'>) => ({ token, params: { id } })
const preview = (id: Id<'application'>) => ok(previewReset, as(member, id))
const reset = (id: Id<'application'>, revision?: string) =>
  ok(resetConfiguration, { ...as(member, id), body: revision === undefined ? {} : { revision } })
const fields = (changes: { field: string }[]) => changes.map(({ field }) => field)
const get = async (id: Id<'application'>) => (await ok(getApplication, as(member, id))).application
const variables = async (id: Id<'application'>) => {
  const { env } = await ok(entries.listVariables, { ...as(member, id), query: { values: 'true' } })
  return Object.fromEntries(env.map(({ key, value }) => [key, value]))
}

/** Freezes the configuration as a deployment does. */
async function goLive(id: Id<'application'>, number = 1): Promise<Id<'release'>> {
  const application = await findApplication(db, workspace, id)
  if (!application) throw new Error('The application is gone.')
  const { config, env, compose } = await readApplicationConfig(ctx, db, application)
  const release = newId('release')
  return makeRelease(ctx, workspace, id, number, {
    id: release,
    ...freezeConfig(ctx, 'releases', release, config),
    env_sealed: ctx.secrets.seal(releaseEnvSealContext(release), JSON.stringify(env)),
    compose_sealed:
      compose &&
      ctx.secrets.seal(releaseComposeSealContext(release), JSON.stringify({ ...compose, model: {} })),
  })
}

const settings = {
  command: ['serve', '--password=hunter2'],
  port: 3000,
  health: { type: 'http', path: '/healthz', within_seconds: 30 },
  memory_limit: 2 ** 28,
  cpu_limit: 0.5,
  replicas: 2,
  restart: 'on-failure',
  stop_grace_seconds: 20,
  drain_seconds: 5,
  stop_first: true,
}
const image = (name: string) => ({ source: { type: 'docker_image', image: name } })

async function configure(id: Id<'application'>) {
  const at = as(member, id)
  await ok(updateApplication, { ...at, body: { ...settings, ...image('nginx:1') } })
  await ok(entries.replaceVariables, { ...at, body: { env: 'TOKEN=hunter2\nGONE=1' } })
  await ok(entries.replaceLabels, { ...at, body: { labels: 'team=blue' } })
  await ok(entries.replaceVolumes, { ...at, body: { volumes: 'data:/data' } })
}

const otherSettings = {
  command: null,
  port: null,
  health: { type: 'auto', path: '/', within_seconds: 60 },
  memory_limit: null,
  cpu_limit: null,
  replicas: 1,
  restart: 'always',
  stop_grace_seconds: 10,
  drain_seconds: 30,
  stop_first: false,
}

test('restores what the live release froze and nothing else', async () => {
  const id = await makeApplication(db, workspace, server, { name: 'shop' })
  const at = as(member, id)
  await configure(id)
  await goLive(id)
  await ok(updateApplication, { ...at, body: { ...otherSettings, ...image('nginx:2'), name: 'store' } })
  await ok(entries.replaceVariables, { ...at, body: { env: 'TOKEN=hunter3\nNEW=1' } })
  await ok(entries.replaceLabels, { ...at, body: { labels: 'team=green' } })
  await ok(entries.replaceVolumes, { ...at, body: { volumes: 'files:/files' } })
  await ok(createDomain, { ...at, body: { host: 'shop.example.com' } })
  await ok(entries.createPorts, { ...at, body: { ports: '4321:80' } })

  const before = await preview(id)
  expect(before.release).toMatchObject({ number: 1 })
  expect(before.remaining).toEqual([])
  expect(fields(before.changes)).toEqual([
    'image',
    'command',
    'port',
    'health',
    'memory_limit',
    'cpu_limit',
    'replicas',
    'restart',
    'stop_grace_seconds',
    'drain_seconds',
    'stop_first',
    'env.GONE',
    'env.NEW',
    'env.TOKEN',
    'labels.team',
    'volumes./data',
    'volumes./files',
  ])
  expect(before.changes[0]).toEqual({ field: 'image', kind: 'changed', from: 'nginx:2', to: 'nginx:1' })
  expect(JSON.stringify(before.changes)).not.toContain('hunter3')

  expect((await reset(id, before.revision)).changes).toEqual(before.changes)
  expect(await get(id)).toMatchObject({
    ...settings,
    name: 'store',
    changed: false,
    source: { image: 'nginx:1' },
  })
  expect(await variables(id)).toEqual({ TOKEN: 'hunter2', GONE: '1' })
  expect((await ok(entries.listLabels, at)).labels).toMatchObject([{ key: 'team', value: 'blue' }])
  expect((await ok(entries.listVolumes, { ...at, query: {} })).volumes).toMatchObject([{ target: '/data' }])
  expect((await ok(listDomains, at)).domains).toMatchObject([{ host: 'shop.example.com' }])
  expect((await ok(entries.listPorts, at)).ports).toMatchObject([{ source: 4321 }])
  expect((await ok(listChanges, at)).changes).toEqual([])
  const stored = await db.selectFrom('variables').selectAll().where('application_id', '=', id).execute()
  expect(JSON.stringify([stored, await findApplication(db, workspace, id)])).not.toContain('hunter2')
})

test('is written to the audit log once, with names and without values', async () => {
  const id = await makeApplication(db, workspace, server)
  await goLive(id)
  await ok(entries.createVariable, { ...as(member, id), body: { key: 'TOKEN', value: 'hunter2' } })
  expect(fields((await reset(id)).changes)).toEqual(['env.TOKEN'])
  expect((await reset(id)).changes).toEqual([])
  const { entries: audit } = await ok(listAudit, { token: admin.token, query: { q: 'reset' } })
  expect(audit.filter(({ target }) => target?.id === id)).toMatchObject([
    { type: 'application.configuration_reset', detail: 'release 1, env.TOKEN' },
  ])
})

test('leaves the variables of a project to it', async () => {
  const project_id = await makeProject(ctx, workspace, 'Yard', { SHARED: '1', OTHER: '1' })
  const id = await makeApplication(db, workspace, server, { project_id })
  await ok(entries.createVariable, { ...as(member, id), body: { key: 'OTHER', value: 'own' } })
  await goLive(id)
  await db.deleteFrom('project_variables').where('project_id', '=', project_id).execute()
  const later = await makeProject(ctx, workspace, 'Later', { SHARED: '2', OTHER: '2', MORE: '3' })
  await changeApplication(db, workspace, id, { project_id: later })
  await ok(entries.replaceVariables, { ...as(member, id), body: { env: 'OWN=1' } })

  const { changes, remaining } = await reset(id)
  // The variable was overridden and is inherited now.
  expect(fields(changes)).toEqual(['env.OWN'])
  expect(fields(remaining)).toEqual(['env.MORE', 'env.OTHER', 'env.SHARED'])
  expect(await variables(id)).toEqual({})
})

test('restores a variable that its project no longer has', async () => {
  const project_id = await makeProject(ctx, workspace, 'Pier', { SHARED: 'hunter2' })
  const id = await makeApplication(db, workspace, server, { project_id })
  await goLive(id)
  await changeApplication(db, workspace, id, { project_id: null })
  expect(await reset(id)).toMatchObject({ changes: [{ field: 'env.SHARED', kind: 'added' }], remaining: [] })
  expect(await variables(id)).toEqual({ SHARED: 'hunter2' })
})

test('restores the build settings of a repository, and keeps its account, new name and triggers', async () => {
  const id = await makeApplication(db, workspace, server)
  const named = { integration_id: null, repository_id: 7, repository: 'octocat/hello' }
  await makeSource(db, workspace, id, { ...named, folder: 'api' })
  await goLive(id)
  await db
    .updateTable('sources')
    .set({ branch: 'next', folder: '', repository: 'octocat/renamed', deploy_on: 'tag', build_minutes: 5 })
    .where('application_id', '=', id)
    .execute()
  expect(fields((await reset(id)).changes)).toEqual(['branch', 'folder', 'build_minutes'])
  expect(await get(id)).toMatchObject({
    changed: false,
    source: { type: 'github', image: null },
    repository: {
      branch: 'main',
      folder: 'api',
      build_minutes: 30,
      deploy_on: 'tag',
      repository: 'octocat/renamed',
    },
  })
})

test('restores the compose file with its profiles', async () => {
  const id = newId('application')
  const compose = 'services:\n  web:\n    image: nginx:1\n'
  await makeApplication(db, workspace, server, {
    id,
    source_type: 'compose',
    image: null,
    compose_sealed: ctx.secrets.seal(composeSealContext(id), compose),
    services: ['web'],
  })
  await goLive(id)
  const source = {
    type: 'compose',
    compose: `${compose}  cache:\n    image: redis:7\n    profiles: [fast]\n`,
    profiles: ['fast'],
  }
  await ok(updateApplication, { ...as(member, id), body: { source, drain_seconds: 5 } })
  expect((await get(id)).source.services).toEqual(['cache', 'web'])
  expect(fields((await reset(id)).changes)).toEqual(['services.cache', 'profiles', 'drain_seconds'])
  expect(await ok(getCompose, as(member, id))).toEqual({ compose, profiles: [] })
  expect(await get(id)).toMatchObject({ changed: false, drain_seconds: 30, source: { services: ['web'] } })
})

test('is refused while nothing is live', async () => {
  const id = await makeApplication(db, workspace, server, { name: 'shop' })
  const error =
    'The application shop has never been deployed, so there is no configuration to reset to. Deploy it first.'
  const { body } = await refused(resetConfiguration, { ...as(member, id), body: {} }, 409, 'never_deployed')
  expect(body).toMatchObject({ error })
  await refused(previewReset, as(member, id), 409, 'never_deployed')
})

describe('two people at once', () => {
  test('reset what both saw only once', async () => {
    const id = await makeApplication(db, workspace, server)
    await goLive(id)
    await ok(updateApplication, { ...as(member, id), body: { replicas: 3 } })
    const { revision } = await preview(id)
    const both = await Promise.all(
      [member, admin].map((person) =>
        slipway.call('POST /v1/applications/{id}/configuration/reset', {
          ...as(person, id),
          body: { revision },
        }),
      ),
    )
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]))
  })

  test('never lose a change, or another live release, that was not shown', async () => {
    const id = await makeApplication(db, workspace, server)
    await goLive(id)
    await ok(updateApplication, { ...as(member, id), body: { replicas: 3 } })
    const stale = async (revision: string) => {
      const sent = { ...as(member, id), body: { revision } }
      await refused(resetConfiguration, sent, 409, 'changed_since')
    }
    const first = await preview(id)
    await ok(entries.createVariable, { ...as(admin, id), body: { key: 'NEW', value: '1' } })
    await stale(first.revision)
    const second = await preview(id)
    await goLive(id, 2)
    await stale(second.revision)
    expect((await get(id)).replicas).toBe(3)
  })
})

describe('permission', () => {
  test('is the one to change the application', async () => {
    const id = await makeApplication(db, workspace, server)
    await goLive(id)
    const stranger = await makeSomeone(db, await makeWorkspace(db), 'owner')
    const deployer = await makeApiToken(db, workspace, member, { role: 'member', scope: 'deploy' })
    for (const [person, status] of [
      [viewer, 403],
      [deployer, 403],
      [stranger, 404],
    ] as const) {
      await refused(resetConfiguration, { ...as(person, id), body: {} }, status)
      await refused(previewReset, as(person, id), status)
    }
    await changeApplication(db, workspace, id, { deleting_at: new Date() })
    await refused(resetConfiguration, { ...as(member, id), body: {} }, 404)
  })

  test('includes root access to change what runs with server folders', async () => {
    const id = await makeApplication(db, workspace, server)
    await ok(entries.replaceVolumes, { ...as(admin, id), body: { volumes: '/srv/data:/data' } })
    await goLive(id)
    await ok(updateApplication, { ...as(member, id), body: { replicas: 2 } })
    expect(fields((await reset(id)).changes)).toEqual(['replicas'])
    await ok(entries.replaceVolumes, { ...as(admin, id), body: { volumes: [] } })
    const { body } = await refused(resetConfiguration, { ...as(member, id), body: {} }, 403)
    expect(body).toMatchObject({
      error:
        'This application mounts server folders. Ask a workspace admin to change this setting: volumes./data.',
    })
    await ok(resetConfiguration, { ...as(admin, id), body: {} })
  })

  test('does not let a limited token return to another repository', async () => {
    const id = await makeApplication(db, workspace, server)
    await makeSource(db, workspace, id, {
      integration_id: null,
      repository_id: 7,
      repository: 'octocat/hello',
    })
    await goLive(id)
    await db
      .updateTable('sources')
      .set({ repository_id: 8, repository: 'octocat/other' })
      .where('application_id', '=', id)
      .execute()
    const limited = await makeApiToken(db, workspace, member, { role: 'member', applications: [id] })
    await refused(resetConfiguration, { ...as(limited, id), body: {} }, 403)
    expect(fields((await reset(id)).changes)).toEqual(['repository'])
  })
})
