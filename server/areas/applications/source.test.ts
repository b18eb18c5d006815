import { afterAll, expect, test } from 'vitest'
import * as contract from '../../../contract/applications.ts'
import { listChanges } from '../../../contract/releases.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeRelease } from '../../../test/support/factories/application-factories.ts'
import { makeIntegration, makeServer, makeTeam, nowhere } from '../../../test/support/factories/factories.ts'
import { startFakeGitHub } from '../../../test/support/fakes/github.ts'
import { readApplicationConfig } from './config.ts'
import { findApplication } from './application.ts'

const github = await startFakeGitHub()
const slipway = await startSlipway({ ...github.appEnv })
afterAll(async () => {
  await slipway.close()
  await github.close()
})
const { db, ctx, ok, call } = slipway
const { workspace, member, admin } = await makeTeam(db)
const { token } = member
const size = { memory_bytes: 2 * 1024 ** 3, cpus: 2 }
const server = await makeServer(ctx, workspace, nowhere(), { name: 'web-1', ...size })
github.addAccount('octocat')
const { id: repositoryId } = await github.addRepository('octocat/hello', { Dockerfile: 'FROM scratch\n' })
const integration = await makeIntegration(db, workspace, github.installApp('octocat', ['hello']))

const settings = { integration_id: integration, repository: 'octocat/hello', branch: 'main' }
const source = { type: 'github', ...settings }
const given = (more: object = {}) => ({
  name: 'Shop',
  server_id: server,
  source: { ...source, ...more },
  generated_address: false,
})
const make = async (more: object = {}) =>
  (await ok(contract.createApplication, { token, body: given(more) })).application

test('stores the GitHub repository ID and reviews the build steps', async () => {
  const { review } = await ok(contract.reviewApplication, { token, body: given({ submodules: true }) })
  expect(review.problems).toEqual({})
  expect(review.warnings.join(' ')).toContain('can read every repository of the account')
  expect(review.steps.slice(0, 2)).toEqual([
    'Fetch the latest commit on main of octocat/hello with submodules on web-1.',
    'Build the image with Dockerfile, or a generated Dockerfile if it is missing, with limits of 1.5 GiB memory, 1.5 cores and 30 minutes.',
  ])
  const made = await make({ folder: './api/', build_args: [{ key: 'A', value: '1' }] })
  expect(made).toMatchObject({
    source: { type: 'github', image: null, repository: { name: 'octocat/hello', branch: 'main' } },
    repository: { ...settings, folder: 'api', build_args: [{ key: 'A', value: '1' }] },
    release: null,
  })
  const row = await db.selectFrom('sources').selectAll().where('application_id', '=', made.id).execute()
  expect(row).toMatchObject([{ repository_id: repositoryId, deploy_on: 'push' }])
})

test.each([
  ['a repository that is not there', { repository: 'octocat/none' }, 'source.repository'],
  ['a branch that is not there', { branch: 'none' }, 'source.branch'],
  ['an account of nobody', { integration_id: 'int_none' }, 'source.integration_id'],
  ['a Dockerfile outside', { dockerfile: '../Dockerfile' }, 'source.dockerfile'],
  ['a folder outside', { folder: 'a/../../b' }, 'source.folder'],
  ['more memory than the server can spare', { build_memory: 2 * 1024 ** 3 }, 'source.build_memory'],
  ['more cores than the server has', { build_cpus: 3 }, 'source.build_cpus'],
  [
    'a setting of Docker',
    { build_args: [{ key: 'BUILDKIT_SYNTAX', value: 'a/b' }] },
    'source.build_args.0.key',
  ],
])('refuses %s at its field', async (_, more, field) => {
  const answered = await call('POST /v1/applications', { token, body: given(more) })
  expect(answered.status).toBe(422)
  expect(answered.body).toMatchObject({ errors: { [field]: [expect.stringMatching(/\.$/)] } })
})

test('applies a new repository or branch with the next deployment and triggers immediately', async () => {
  const { id } = await make()
  const application = await findApplication(db, workspace, id)
  if (!application) throw new Error('It is gone.')
  const { config } = await readApplicationConfig(ctx, db, application)
  await makeRelease(ctx, workspace, id, 1, { config: JSON.stringify(config) })
  const put = (more: object) =>
    ok(contract.updateApplication, { token, params: { id }, body: { source: { ...source, ...more } } })
  const triggers = { deploy_on: 'tag', tags: 'v*', watch_paths: ['api/**'] }
  expect((await put(triggers)).application).toMatchObject({ changed: false, repository: triggers })
  await github.commit('octocat/hello', { branch: 'next', files: { 'a.txt': '1' } })
  const { application: now } = await put({
    branch: 'next',
    build_args: [{ key: 'A', value: '1' }],
    build_memory: 2 ** 30,
    generated: 'FROM scratch\n',
  })
  expect(now).toMatchObject({ changed: true, source: { repository: { branch: 'next' } } })
  const { changes } = await ok(listChanges, { token, params: { id } })
  expect(changes).toEqual([
    { field: 'branch', kind: 'changed', from: 'main', to: 'next' },
    { field: 'generated', kind: 'added', from: null, to: '2 lines' },
    { field: 'build_memory', kind: 'added', from: null, to: '1 GiB' },
    { field: 'build_args.A', kind: 'added', from: null, to: '1' },
  ])
  const other = { source: { type: 'docker_image', image: 'nginx' } }
  const refused = await call('PUT /v1/applications/{id}', { token, params: { id }, body: other })
  expect(refused).toMatchObject({
    status: 409,
    body: {
      error:
        'This application is deployed from a repository, which cannot be changed to a single image. Create another application for the image.',
    },
  })
})

test('lets only admins choose Railpack', async () => {
  const railpack = { builder: 'railpack' }
  const body = given(railpack)
  expect(await call('POST /v1/applications', { token, body })).toMatchObject({
    status: 403,
    body: { error: expect.stringMatching(/^Only admins can choose Railpack/) },
  })
  const { review } = await ok(contract.reviewApplication, { token, body })
  expect(Object.keys(review.problems)).toEqual(['source.builder'])
  const { id } = await make()
  const put = (asked: string, more: object) =>
    call('PUT /v1/applications/{id}', {
      token: asked,
      params: { id },
      body: { source: { ...source, ...more } },
    })
  expect((await put(token, railpack)).status).toBe(403)
  expect((await put(admin.token, railpack)).status).toBe(200)
  // The builder that an admin chose stays, but only for the same branch.
  expect((await put(token, { ...railpack, tags: 'v*' })).status).toBe(200)
  expect((await put(token, { ...railpack, branch: 'next' })).status).toBe(403)
})
