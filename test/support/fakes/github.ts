import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { install, makeApp } from './github/apps.ts'
import { repositoriesOf } from './github/repositories.ts'
import { serve } from './github/serve.ts'
import type { GitHubAccount, Installation, State } from './github/state.ts'
import { makeTrouble, type Trouble } from './github/trouble.ts'
import { send, sendInstallation } from './github/webhooks.ts'

export type FakeGitHub = Awaited<ReturnType<typeof startFakeGitHub>>

const permissions = {
  contents: 'read',
  metadata: 'read',
  statuses: 'write',
  pull_requests: 'read',
  members: 'read',
  email_addresses: 'read',
} as const

/**
 * GitHub, as strict as the real one: sign-in, Apps and their installations, the API, repositories that git can fetch, and
 * webhooks. It has one App, whose people come back to `callback` after sign-in. With `host` it listens where servers of the
 * rig reach it.
 */
export async function startFakeGitHub(
  callback = 'http://slipway.test/login/success',
  { host = '127.0.0.1' } = {},
) {
  const trouble = makeTrouble()
  const asked: string[] = []
  const server = createServer((request, response) => {
    const at = new URL(request.url ?? '/', 'http://github')
    asked.push(`${request.method} ${at.pathname}`)
    if (trouble.makes(at.pathname, response)) return
    serve(state, request, response, at).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  // It listens on a port, not on a socket with a name.
  const { port } = server.address() as AddressInfo
  let lastId = 1000
  const state: State = {
    url: `http://${host}:${port}`,
    folder: await mkdtemp(join(tmpdir(), 'slipway-github-')),
    apps: [],
    accounts: new Map(),
    installations: new Map(),
    repositories: [],
    formerNames: new Map(),
    statuses: [],
    codes: new Map(),
    userTokens: new Map(),
    installationTokens: new Map(),
    conversions: new Map(),
    media: new Map(),
    bytesPerSecond: Infinity,
    rate: {
      limit: 5000,
      remaining: 5000,
      reset: Math.floor(Date.now() / 1000) + 3600,
      retryAfter: undefined,
    },
    nextId: () => ++lastId,
  }
  const { url } = state

  function addAccount(login: string, given: Partial<GitHubAccount> = {}): GitHubAccount {
    const emails = [{ email: `${login}@example.com`, primary: true, verified: true }]
    const account: GitHubAccount = {
      id: ++lastId,
      login,
      name: null,
      type: 'User',
      emails,
      members: {},
      ...given,
    }
    state.accounts.set(login, account)
    return account
  }

  const app = makeApp(
    {
      id: ++lastId,
      name: 'Slipway test',
      owner: addAccount('slipway-operator'),
      public: true,
      callbacks: [`${new URL(callback).origin}/dashboard/integrations/github/callback`, callback],
      hookUrl: undefined,
      permissions,
      events: ['push', 'repository'],
    },
    { shared: true, clientId: 'Iv1.slipway' },
  )
  state.apps.push(app)
  const env = {
    GITHUB_URL: url,
    GITHUB_API_URL: url,
    GITHUB_CLIENT_ID: app.client.id,
    GITHUB_CLIENT_SECRET: app.client.secret,
  }
  const ownerOf = ({ account }: Installation) => {
    const admin = Object.keys(account.members).find((login) => account.members[login] === 'admin')
    return state.accounts.get(admin ?? '') ?? account
  }

  return {
    url,
    /** Every request that came, as "GET /user". */
    asked,
    /** What there is, to look at and to change. */
    state,
    app,
    /** What Slipway needs to know of it for sign-in alone. */
    env,
    /** The same, with the keys of its App. */
    appEnv: {
      ...env,
      GITHUB_APP_ID: String(app.id),
      GITHUB_APP_PRIVATE_KEY: app.pem,
      GITHUB_WEBHOOK_SECRET: app.webhookSecret,
    },
    addAccount,
    /** An organisation with these people. */
    addOrganization: (login: string, members: GitHubAccount['members']) =>
      addAccount(login, { type: 'Organization', members }),
    ...repositoriesOf(state),
    /** Installs the App on an account, as if its owner had; nobody is told. */
    installApp(login: string, repositories: 'all' | string[] = 'all'): Installation {
      return install(state, app, state.accounts.get(login) ?? addAccount(login), repositories)
    },
    async suspend(installation: Installation, suspended = true) {
      installation.suspendedAt = suspended ? new Date() : null
      return sendInstallation(state, installation, suspended ? 'suspend' : 'unsuspend', ownerOf(installation))
    },
    async uninstall(installation: Installation) {
      state.installations.delete(installation.id)
      return sendInstallation(state, installation, 'deleted', ownerOf(installation))
    },
    /** Posts any event to the App's address, signed unless told otherwise. */
    send: (event: string, payload: object, options?: Parameters<typeof send>[3]) =>
      send(app, event, payload, options),
    ping: () =>
      send(app, 'ping', {
        zen: 'Keep it logically awesome.',
        hook_id: 292430182,
        hook: { type: 'App', id: 292430182, active: true, events: app.events, app_id: app.id },
      }),
    /**
     * Goes where Slipway sent the browser and approves; gives back the query of the address that follows. On the page that
     * installs an App, `account` is which one it is installed on and `repositories` which ones it may see.
     */
    async approve(
      to: string,
      login: string,
      {
        account,
        repositories,
        manifest,
      }: { account?: string; repositories?: string[]; manifest?: string } = {},
    ): Promise<URLSearchParams> {
      const cookies = [`user=${login}`]
      if (account) cookies.push(`account=${account}`)
      if (repositories) cookies.push(`repositories=${repositories.join(',')}`)
      const answered = await fetch(to, {
        headers: { cookie: cookies.join('; ') },
        redirect: 'manual',
        ...(manifest && { method: 'POST', body: new URLSearchParams({ manifest }) }),
      })
      const location = answered.headers.get('location')
      if (!location) throw new Error(`GitHub did not lead back: ${answered.status} ${await answered.text()}`)
      return new URL(location).searchParams
    },
    expireCodes() {
      for (const grant of state.codes.values()) grant.until = 0
    },
    /** All tokens of installations come to their end before their time. */
    expireTokens() {
      for (const token of state.installationTokens.values()) token.until = 0
    },
    /** So many calls more until the limit, which is lifted after so many seconds; with `retryAfter` the other limit. */
    limitRate(given: { remaining?: number; seconds?: number; retryAfter?: number } = {}) {
      const { remaining = 0, seconds = 3600, retryAfter } = given
      Object.assign(state.rate, { remaining, retryAfter, reset: Math.floor(Date.now() / 1000) + seconds })
    },
    liftRate() {
      Object.assign(state.rate, { remaining: state.rate.limit, retryAfter: undefined })
    },
    /** Makes a path fail, so many times or until told otherwise; with a star at its end, all that begin like it. */
    fail: (path: string, how: Trouble | undefined, times?: number) => trouble.set(path, how, times),
    /** Cuts off all whom it keeps waiting. */
    letGo: () => trouble.close(),
    async close() {
      trouble.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(state.folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
