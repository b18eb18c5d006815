import { afterAll, describe, expect, test } from 'vitest'
import {
  createIntegration,
  deleteIntegration,
  listIntegrations,
  redirectToProvider,
} from '../../../contract/integrations.ts'
import { makeApplication, makeSource } from '../../../test/support/factories/application-factories.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import {
  makeMember,
  makeServer,
  nowhere,
  makeSession,
  makeSomeone,
  makeTeam,
  makeWorkspace,
  unique,
} from '../../../test/support/factories/factories.ts'
import { startFakeGitHub } from '../../../test/support/fakes/github.ts'
import { fingerprint } from '../../../test/support/stages/fingerprint.ts'

const github = await startFakeGitHub()
const slipway = await startSlipway(github.appEnv)
const { db } = slipway
const { owner, member, workspace } = await makeTeam(db)
const { token } = owner
const params = { provider: 'github' }
afterAll(async () => {
  await slipway.close()
  await github.close()
})

const newLogin = () => unique('octo')
const redirect = async (who = token, query: { installed?: string } = {}) =>
  (await slipway.ok(redirectToProvider, { token: who, params, query })).url

/** Starts connecting, chooses an account at GitHub and returns with the parameters from GitHub. */
async function comeBack(login: string, chosen: { account?: string; repositories?: string[] } = {}) {
  const proof = Object.fromEntries(await github.approve(await redirect(), login, chosen))
  const { installation_id, code, state } = proof
  return { ...(installation_id && { installation_id }), code: code ?? '', state: state ?? '' }
}

/** Verifies the user when the App was installed before. */
async function comeBackInstalled(login: string) {
  const { code = '', state = '' } = Object.fromEntries(
    await github.approve(await redirect(token, { installed: 'true' }), login),
  )
  return { code, state }
}

async function refused(body: object, status: number, code?: string) {
  const before = await fingerprint(db)
  const got = await slipway.refused(createIntegration, { token, params, body }, status, code)
  expect(await fingerprint(db)).toEqual(before)
  return got.text
}

describe('connecting an account', () => {
  test('installs the App, verifies its owner and shows the account', async () => {
    const login = newLogin()
    github.addAccount(login)
    const body = await comeBack(login, { repositories: ['hello'] })
    const { integrations } = await slipway.ok(createIntegration, { token, params, body })
    const installation = github.state.installations.get(Number(body.installation_id))
    expect(integrations).toEqual([
      {
        id: expect.stringMatching(/^int_/),
        provider: 'github',
        name: login,
        avatar: `${github.url}/avatars/u/${installation?.account.id}?v=4`,
        account_type: 'User',
        status: 'active',
        repositories: 'selected',
        manage_url: `${github.url}/settings/installations/${installation?.id}`,
        applications: 0,
        created_at: expect.any(String),
      },
    ])
    const listed = await slipway.ok(listIntegrations, { token, query: { q: login.slice(3) } })
    expect(listed.integrations).toEqual(integrations)
    const events = await db
      .selectFrom('events')
      .select('type')
      .where('target_id', '=', integrations[0]?.id ?? '')
      .execute()
    expect(events).toEqual([{ type: 'integration.created' }])
  })

  test('keeps an account connected twice, and restores its applications after a reconnect', async () => {
    const login = newLogin()
    github.addAccount(login)
    const first = await slipway.ok(createIntegration, { token, params, body: await comeBack(login) })
    const again = await slipway.ok(createIntegration, { token, params, body: await comeBackInstalled(login) })
    expect(again.integrations).toEqual(first.integrations)
    const id = first.integrations[0]?.id ?? 'int_'
    const shop = await makeApplication(db, workspace, await makeServer(slipway.ctx, workspace, nowhere()))
    await makeSource(db, workspace, shop, {
      integration_id: id,
      repository_id: 1,
      repository: `${login}/hello`,
    })
    const listed = async () =>
      (await slipway.ok(listIntegrations, { token, query: { q: login } })).integrations
    expect(await listed()).toMatchObject([{ applications: 1 }])
    await slipway.ok(deleteIntegration, { token, params: { id } })
    expect(await listed()).toEqual([])
    await slipway.refused(deleteIntegration, { token, params: { id } }, 404, 'not_found')
    await slipway.ok(createIntegration, { token, params, body: await comeBackInstalled(login) })
    expect(await listed()).toMatchObject([{ applications: 1 }])
  })

  test('restores applications after a new installation and lists the account once', async () => {
    const login = newLogin()
    github.addAccount(login)
    const first = await comeBack(login)
    const created = await slipway.ok(createIntegration, { token, params, body: first })
    const old = created.integrations[0]?.id ?? 'int_'
    const shop = await makeApplication(db, workspace, await makeServer(slipway.ctx, workspace, nowhere()))
    // The source is adopted by its account, not by the name of its repository.
    const source = { integration_id: old, repository_id: 1, repository: 'before/hello' }
    await makeSource(db, workspace, shop, source)
    const there = github.state.installations.get(Number(first.installation_id))
    if (!there) throw new Error('It is not installed.')
    await github.uninstall(there)
    await db.updateTable('integrations').set({ status: 'removed' }).where('id', '=', old).execute()
    const body = await comeBack(login)
    expect(body.installation_id).not.toBe(first.installation_id)
    await slipway.ok(createIntegration, { token, params, body })
    const { integrations } = await slipway.ok(listIntegrations, { token, query: { q: login } })
    expect(integrations).toMatchObject([{ status: 'active', applications: 1 }])
    expect(integrations[0]?.id).not.toBe(old)
  })

  test('allows only owners of an organization, whenever the App was installed', async () => {
    const [boss, worker, acme] = [newLogin(), newLogin(), newLogin()]
    for (const login of [boss, worker]) github.addAccount(login)
    github.addOrganization(acme, { [boss]: 'admin', [worker]: 'member' })
    // The member was at GitHub when an owner installed the App, which gives the member no access.
    const state = new URL(await redirect(token, { installed: 'true' })).searchParams.get('state') ?? ''
    const installed = github.installApp(acme)
    for (const body of [{ state }, { state, installation_id: installed.id }]) {
      const { code } = await comeBackInstalled(worker)
      expect(await refused({ ...body, code }, 403, 'forbidden')).toContain(`does not own ${acme}`)
    }
    const { integrations } = await slipway.ok(createIntegration, {
      token,
      params,
      body: await comeBackInstalled(boss),
    })
    expect(integrations).toMatchObject([{ name: acme, account_type: 'Organization' }])
  })

  test('waits for approval by an owner of the organization', async () => {
    const [worker, acme] = [newLogin(), newLogin()]
    github.addAccount(worker)
    github.addOrganization(acme, { [worker]: 'member' })
    const proof = await github.approve(await redirect(), worker, { account: acme })
    expect(proof.get('setup_action')).toBe('request')
    expect(proof.get('installation_id')).toBe(null)
  })
})

describe('unverified requests', () => {
  test('rejects the installation of another user by its ID', async () => {
    const [victim, attacker] = [newLogin(), newLogin()]
    for (const login of [victim, attacker]) github.addAccount(login)
    const theirs = github.installApp(victim)
    const { code, state } = await comeBackInstalled(attacker)
    const said = await refused({ installation_id: theirs.id, code, state }, 403, 'forbidden')
    expect(said).toContain('has no access to this installation')
  })

  test('requires code and state, each valid for one user, workspace and hour', async () => {
    const login = newLogin()
    github.addAccount(login)
    const body = await comeBack(login)
    const { installation_id } = body
    expect(await refused({ installation_id }, 400, 'connecting_unproved')).toContain('select Connect')
    await refused({ ...body, code: undefined }, 400, 'connecting_unproved')
    await refused({ ...body, state: undefined }, 400, 'connecting_unproved')
    await refused({ ...body, state: 'made-up' }, 404, 'github_state_lost')
    await refused({ ...body, code: 'made-up' }, 400, 'login_refused')
    await refused({ ...body, provider: 'gitlab' }, 422)
    const old = slipway.ctx.secrets.seal(
      'state.github.connect',
      JSON.stringify({ user: owner.id, workspace, at: Date.now() - 3_700_000 }),
    )
    await refused({ ...body, state: old }, 404, 'github_state_lost')
    const other = await makeSomeone(db, workspace, 'admin')
    await slipway.refused(createIntegration, { token: other.token, params, body }, 404, 'github_state_lost')
    const elsewhere = await makeWorkspace(db)
    await makeMember(db, elsewhere, owner, 'owner')
    const session = await makeSession(db, owner, { workspace: elsewhere })
    await slipway.refused(createIntegration, { token: session.token, params, body }, 404, 'github_state_lost')
    await slipway.ok(createIntegration, { token, params, body })
    await refused(body, 400, 'login_refused')
  })

  test('rejects a user without an installation of the App', async () => {
    const login = newLogin()
    github.addAccount(login)
    expect(await refused(await comeBackInstalled(login), 409, 'not_installed')).toContain(login)
  })

  test('rejects a member who is no admin, and an unknown provider', async () => {
    const call = { token: member.token, params }
    await slipway.refused(redirectToProvider, call, 403, 'forbidden')
    await slipway.refused(redirectToProvider, { token, params: { provider: 'gitlab' } }, 404, 'not_found')
  })
})

test('connects one installation to several workspaces', async () => {
  const login = newLogin()
  github.addAccount(login)
  await slipway.ok(createIntegration, { token, params, body: await comeBack(login) })
  const other = await makeTeam(db)
  const url = await redirect(other.owner.token, { installed: 'true' })
  const { code = '', state = '' } = Object.fromEntries(await github.approve(url, login))
  const body = { code, state }
  const { integrations } = await slipway.ok(createIntegration, { token: other.owner.token, params, body })
  expect(integrations).toMatchObject([{ name: login }])
})
