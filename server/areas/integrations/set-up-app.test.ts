import { generateKeyPairSync } from 'node:crypto'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { getAuthOptions } from '../../../contract/auth.ts'
import {
  beginGitHubApp,
  createIntegration,
  deleteGitHubApp,
  finishGitHubApp,
  getGitHubApp,
  redirectToProvider,
} from '../../../contract/integrations.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeInstanceOwner, makeTeam } from '../../../test/support/factories/factories.ts'
import { startFakeGitHub } from '../../../test/support/fakes/github.ts'
import { logIn } from '../../../test/support/clients/from-github.ts'
import { webhooksUnreachableWarning } from './set-up-app.ts'

const github = await startFakeGitHub()
github.addAccount('ada')
// A user unrelated to the owner of the App.
github.addAccount('grace')
github.addOrganization('acme', { ada: 'admin' })
const slipway = await startSlipway({ GITHUB_URL: github.url, GITHUB_API_URL: github.url })
const { owner, admin } = await makeTeam(slipway.db)
const stranger = await makeTeam(slipway.db)
await makeInstanceOwner(slipway.db, owner)
const { token } = owner
afterAll(async () => {
  await slipway.close()
  await github.close()
})

async function pressCreate(organization = '') {
  const { url, manifest } = await slipway.ok(beginGitHubApp, { token, body: { organization } })
  const { code = '', state = '' } = Object.fromEntries(await github.approve(url, 'ada', { manifest }))
  return { url, manifest, code, state }
}

const appOf = async () => (await slipway.ok(getGitHubApp, { token })).app

describe('GitHub App setup', () => {
  test('creates the App with one click, then logs users in and connects accounts', async () => {
    expect(await appOf()).toEqual({
      ready: false,
      from: null,
      name: null,
      url: null,
      can_set_up: true,
      problem: null,
      warning: null,
    })
    expect(await slipway.ok(getAuthOptions)).toMatchObject({ github: false })
    await slipway.refused(
      redirectToProvider,
      { token, params: { provider: 'github' } },
      409,
      'integration_off',
    )

    const { url, code, state } = await pressCreate('acme')
    expect(url.startsWith(`${github.url}/organizations/acme/settings/apps/new?state=`)).toBe(true)
    const created = await slipway.ok(finishGitHubApp, { token, body: { code, state } })
    expect(created.app).toMatchObject({
      ready: true,
      from: 'manifest',
      name: 'Slipway slipway.test',
      problem: null,
    })
    const app = github.state.apps.at(-1)
    expect(app).toMatchObject({
      hookUrl: 'http://slipway.test/v1/events/github',
      events: ['push', 'repository'],
      owner: { login: 'acme' },
    })

    expect(await slipway.ok(getAuthOptions)).toMatchObject({ github: true })
    expect(await logIn(slipway, github, 'grace')).toMatchObject({ is_signup: true })

    const { url: install } = await slipway.ok(redirectToProvider, { token, params: { provider: 'github' } })
    if (app) app.hookUrl = undefined
    const proof = Object.fromEntries(await github.approve(install, 'ada'))
    const body = { installation_id: proof['installation_id'], code: proof['code'], state: proof['state'] }
    const connected = await slipway.ok(createIntegration, { token, params: { provider: 'github' }, body })
    expect(connected.integrations).toMatchObject([{ name: 'ada' }])

    await slipway.refused(beginGitHubApp, { token, body: {} }, 409, 'github_app_exists')
    const rows = JSON.stringify(await slipway.db.selectFrom('github_apps').selectAll().execute())
    for (const secret of [app?.client.secret, app?.webhookSecret, app?.pem.split('\n')[1]])
      expect(rows + slipway.lines.join('\n')).not.toContain(secret ?? 'nothing')

    await slipway.ok(deleteGitHubApp, { token })
    expect(await appOf()).toMatchObject({ ready: false, from: null })
  })

  test('allows only instance owners, even outside the oldest workspace', async () => {
    for (const who of [admin.token, stranger.owner.token]) {
      expect((await slipway.ok(getGitHubApp, { token: who })).app.can_set_up).toBe(false)
      await slipway.refused(beginGitHubApp, { token: who, body: {} }, 403, 'forbidden')
      await slipway.refused(
        finishGitHubApp,
        { token: who, body: { code: 'x', state: 'y' } },
        403,
        'forbidden',
      )
      await slipway.refused(deleteGitHubApp, { token: who }, 403, 'forbidden')
    }
  })

  test('rejects a code of another user and a used code', async () => {
    const name = github.state.apps.findIndex((one) => one.name === 'Slipway slipway.test')
    if (name >= 0) github.state.apps.splice(name, 1)
    const { code, state } = await pressCreate()
    await slipway.refused(finishGitHubApp, { token, body: { code, state: 'x' } }, 404, 'github_state_lost')
    await slipway.refused(finishGitHubApp, { token, body: { code: 'x', state } }, 400, 'app_code_refused')
    await slipway.ok(finishGitHubApp, { token, body: { code, state } })
    await slipway.ok(deleteGitHubApp, { token })
    await slipway.refused(finishGitHubApp, { token, body: { code, state } }, 400, 'app_code_refused')
  })
})

describe('App from environment variables', () => {
  test('uses the App as configured and does not allow replacing it', async () => {
    const other = await startSlipway(github.appEnv)
    onTestFinished(() => other.close())
    const { owner: mine } = await makeTeam(other.db)
    await makeInstanceOwner(other.db, mine)
    const { app } = await other.ok(getGitHubApp, { token: mine.token })
    expect(app).toMatchObject({ ready: true, from: 'environment', name: 'Slipway test' })
    await other.refused(beginGitHubApp, { token: mine.token, body: {} }, 409, 'github_app_exists')
    await other.refused(deleteGitHubApp, { token: mine.token }, 409, 'app_in_environment')
  })

  test('reports a key that GitHub rejects', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const other = await startSlipway({
      ...github.appEnv,
      GITHUB_APP_PRIVATE_KEY: Buffer.from(pem).toString('base64'),
    })
    onTestFinished(() => other.close())
    const { owner: mine } = await makeTeam(other.db)
    await makeInstanceOwner(other.db, mine)
    const { app } = await other.ok(getGitHubApp, { token: mine.token })
    expect(app).toMatchObject({ ready: false, from: 'environment' })
    expect(app.problem).toContain('GitHub rejected the credentials')
  })
})

const warningAt = (PUBLIC_URL: string, GITHUB_URL = 'https://github.com') =>
  webhooksUnreachableWarning({ PUBLIC_URL, GITHUB_URL })

test('warns only when GitHub certainly cannot reach this Slipway', () => {
  expect(warningAt('http://localhost:4000')).toMatch(
    /^GitHub cannot reach http:\/\/localhost:4000, so push to deploy is off/,
  )
  for (const url of ['http://10.1.2.3', 'http://192.168.1.7:4000', 'http://[::1]:4000', 'http://[fd00::1]'])
    expect(warningAt(url)).not.toBeNull()
  for (const url of [
    'https://slipway.example.com',
    'http://slipway.lan',
    'http://8.8.8.8',
    'http://[2606::1]',
  ])
    expect(warningAt(url)).toBeNull()
  expect(warningAt('http://10.1.2.3', 'https://github.acme.test')).toBeNull()
  expect(warningAt('http://127.0.0.1:4000', 'https://github.acme.test')).not.toBeNull()
})
