import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { listBranches } from '../../../contract/applications.ts'
import {
  inspectRepository,
  listIntegrations,
  listRepositories,
  listRepositoryBranches,
} from '../../../contract/integrations.ts'
import { makeApplication, makeSource } from '../../../test/support/factories/application-factories.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import {
  makeIntegration,
  makeServer,
  makeTeam,
  nowhere,
  unique,
} from '../../../test/support/factories/factories.ts'
import { startFakeGitHub } from '../../../test/support/fakes/github.ts'
import { readRepositoryFile, readTree } from './detect-build.ts'
import { getIntegration } from './integration.ts'
import { getBranchHead, getCommit, getRepository, listChangedFiles, refreshRepository } from './repository.ts'
import { setCommitStatus } from './commit-status.ts'
import { getInstallationToken } from './installation-token.ts'

const github = await startFakeGitHub()
const slipway = await startSlipway(github.appEnv)
const { ctx, db } = slipway
const { owner, workspace } = await makeTeam(db)
const { token } = owner
afterAll(async () => {
  await slipway.close()
  await github.close()
})
const troubled = new Set<string>()
const fail = (path: string, ...how: [Parameters<typeof github.fail>[1], number?]) => {
  troubled.add(path)
  github.fail(path, ...how)
}
const { config } = ctx
const impatient = { ...config, OUTSIDE_TIMEOUT: 0.5 }
afterEach(() => {
  ctx.config = config
  github.liftRate()
  for (const path of troubled) github.fail(path, undefined)
})

/** Connects an account with a repository. */
async function connected(files: Record<string, string> = { 'README.md': 'Hello' }) {
  const login = unique('octo')
  github.addAccount(login)
  const name = `${login}/hello`
  const repository = await github.addRepository(name, files)
  const installation = github.installApp(login)
  const id = await makeIntegration(db, workspace, installation)
  const known = { repository_id: repository.id, repository: name }
  return { login, name, known, repository, installation, id, row: await getIntegration(db, workspace, id) }
}

const list = (id: string, query: Record<string, string> = {}) =>
  slipway.call(listRepositories.key, { token, params: { id }, query })

describe('repositories', () => {
  test('lists, searches and pages repositories, most recently pushed first', async () => {
    const { login, id, repository } = await connected()
    repository.pushedAt = new Date('2020-01-01')
    // The repositories share one folder on disk, because the test only lists them.
    for (let n = 0; n < 230; n++)
      github.state.repositories.push({
        ...repository,
        id: github.state.nextId(),
        name: `r-${n}`,
        fullName: `${login}/r-${n}`,
        pushedAt: new Date(1_700_000_000_000 + n * 1000),
      })
    const names: string[] = []
    let query: Record<string, string> = { limit: '100' }
    for (let pages = 0; pages < 3; pages++) {
      const { repositories, page } = await slipway.ok(listRepositories, { token, params: { id }, query })
      expect(page.total).toBe(231)
      names.push(...repositories.map(({ name }) => name))
      query = { limit: '100', cursor: page.next ?? '' }
    }
    expect(names).toHaveLength(231)
    expect([names[0], names.at(-1)]).toEqual([`${login}/r-229`, `${login}/hello`])
    const found = await slipway.ok(listRepositories, { token, params: { id }, query: { q: 'R-22' } })
    expect(found.page.total).toBe(11)
    expect(found.repositories[0]).toMatchObject({
      name: `${login}/r-229`,
      private: true,
      default_branch: 'main',
    })
    const request = github.asked.filter((line) => line === 'GET /installation/repositories')
    expect(request).toHaveLength(3)
  })

  test('hides repositories of other workspaces', async () => {
    const { id } = await connected()
    const stranger = await makeTeam(db)
    await slipway.refused(listRepositories, { token: stranger.owner.token, params: { id } }, 404, 'not_found')
  })
})

describe('branches', () => {
  test('lists all branches with any valid name, the default branch first', async () => {
    const { name, id, known } = await connected()
    const odd = `a&b;$(id)'"\`|<>{}!#%+=,é`
    const sha = await github.commit(name, { branch: odd, files: { a: '1' } })
    for (let n = 0; n < 3; n++) await github.commit(name, { branch: `feature/${n}` })
    const input = { token, params: { id }, query: { repository: name } }
    const { branches } = await slipway.ok(listRepositoryBranches, input)
    expect(branches).toEqual(['main', odd, 'feature/0', 'feature/1', 'feature/2'])
    const row = await getIntegration(db, workspace, id)
    expect(await getBranchHead(ctx, row, known, odd)).toMatchObject({ sha, branch: odd, message: 'Change' })
  })

  test('lists branches of the repository of an application, and none while GitHub fails', async () => {
    const { name, id, repository } = await connected()
    const server = await makeServer(ctx, workspace, nowhere())
    const shop = await makeApplication(db, workspace, server)
    const branchesOf = () => slipway.ok(listBranches, { token, params: { id: shop } })
    expect(await branchesOf()).toEqual({ branches: [] })
    await makeSource(db, workspace, shop, {
      integration_id: id,
      repository_id: repository.id,
      repository: name,
    })
    expect(await branchesOf()).toEqual({ branches: ['main'] })
    for (const how of ['bad gateway', 'slow', 'nonsense', 'cut'] as const) {
      fail(`/repositories/${repository.id}/branches`, how)
      ctx.config = how === 'slow' ? impatient : config
      expect(await branchesOf()).toEqual({ branches: [] })
    }
    expect(slipway.lines.join('\n')).toContain('Failed to list the branches of a repository')
  })
})

describe('repository contents', () => {
  test('reads and inspects a repository at a commit', async () => {
    const { name, id, row, known } = await connected({
      'web/index.html': '<h1>Hi</h1>',
      'api/x y.txt': 'api',
    })
    const { sha } = await getBranchHead(ctx, row, known, 'main')
    const next = await github.commit(name, { files: { 'web/index.html': null, 'new.txt': '1' } })
    expect(await readTree(ctx, row, known, sha)).toEqual(['api/x y.txt', 'web/index.html'])
    expect(await readRepositoryFile(ctx, row, known, sha, 'api/x y.txt')).toBe('api')
    expect(await readRepositoryFile(ctx, row, known, next, 'web/index.html')).toBe(undefined)
    const huge = await github.commit(name, {
      branch: 'huge',
      files: { 'package.json': 'x'.repeat(1_100_000) },
    })
    expect(await readRepositoryFile(ctx, row, known, huge, 'package.json')).toBe(undefined)
    expect(await listChangedFiles(ctx, row, known, sha, next)).toEqual(['new.txt', 'web/index.html'])
    expect(await listChangedFiles(ctx, row, known, 'f'.repeat(40), next)).toBe(undefined)
    expect(await getCommit(ctx, row, known, next)).toMatchObject({ sha: next })
    await github.commit(name, { files: { 'web/index.html': '<h1>Hi</h1>' } })
    const query = { repository: name, branch: 'main', folder: 'web' }
    const { inspection } = await slipway.ok(inspectRepository, { token, params: { id }, query })
    expect(inspection).toMatchObject({ language: 'static', dockerfiles: [] })
  })

  test('reports a missing repository, branch or commit by name', async () => {
    const { name, id, row, known } = await connected()
    const query = { repository: name, branch: 'gone' }
    const got = await slipway.refused(
      inspectRepository,
      { token, params: { id }, query },
      404,
      'github_not_found',
    )
    expect(got.text).toContain(`The branch gone was not found in ${name}.`)
    await expect(getCommit(ctx, row, known, 'f'.repeat(40))).rejects.toThrow('was not found in')
    await expect(getRepository(ctx, row, `${row.account}/nothing`)).rejects.toThrow('not found on GitHub')
    await github.renameRepository(name, 'hallo')
    expect(await getRepository(ctx, row, name)).toMatchObject({ name: `${row.account}/hallo` })
    const { id: bare } = await github.addRepository(`${row.account}/bare`, {})
    const empty = { repository_id: bare, repository: 'bare' }
    await expect(getCommit(ctx, row, empty, 'main')).rejects.toMatchObject({ status: 404 })
  })

  test('identifies a repository by its ID and only with access of the account', async () => {
    const { name, known, row, login, repository } = await connected()
    const first = await getBranchHead(ctx, row, known, 'main')
    await github.renameRepository(name, 'hallo')
    await github.addRepository(name, { 'evil.txt': '1' }, { private: false })
    expect(await getBranchHead(ctx, row, known, 'main')).toEqual({ ...first, url: expect.any(String) })
    expect(await refreshRepository(ctx, row, known)).toMatchObject({
      id: repository.id,
      name: `${login}/hallo`,
    })
    github.deleteRepository(`${login}/hallo`)
    const deleted = { status: 404, code: 'github_not_found' }
    await expect(getBranchHead(ctx, row, known, 'main')).rejects.toMatchObject(deleted)
    await expect(refreshRepository(ctx, row, known)).rejects.toMatchObject(deleted)
    // A public repository of another account is found by name but cannot be read.
    const { known: others, name: theirs, repository: open } = await connected()
    open.private = false
    expect(await getRepository(ctx, row, theirs)).toMatchObject({ id: open.id })
    await expect(getBranchHead(ctx, row, others, 'main')).rejects.toThrow(`${theirs} was not found`)
  })

  test('truncates the description of a commit status to the limit of GitHub', async () => {
    const { name, row, known } = await connected()
    const { sha } = await getBranchHead(ctx, row, known, 'main')
    const status = { state: 'success', context: 'slipway/shop', target_url: 'http://slipway.test/x' } as const
    await setCommitStatus(ctx, row, known, sha, { ...status, description: 'x'.repeat(200) })
    const details = github.state.statuses.filter((one) => one.sha === sha)
    expect(details).toMatchObject([{ ...status, repository: name, description: `${'x'.repeat(139)}…` }])
  })
})

describe('GitHub behavior', () => {
  test('requests a new token when one is revoked early', async () => {
    const { row, known } = await connected()
    await getBranchHead(ctx, row, known, 'main')
    github.expireTokens()
    expect(await getBranchHead(ctx, row, known, 'main')).toMatchObject({ branch: 'main' })
  })

  test('reuses a token for an hour for exactly its permissions', async () => {
    const { row, known } = await connected()
    const scope = { repository: known, permissions: { contents: 'read' } } as const
    const first = await getInstallationToken(ctx, row, scope)
    expect(await getInstallationToken(ctx, row, scope)).toBe(first)
    expect(await getInstallationToken(ctx, row, { permissions: { contents: 'read' } })).not.toBe(first)
    const cache = github.state.installationTokens.get(first)
    expect(cache?.permissions).toEqual({ metadata: 'read', contents: 'read' })
    expect([...(cache?.only ?? [])]).toEqual([known.repository_id])
    if (cache) cache.until = Date.now() + 240_000
  })

  test('reports a removed installation and marks the account', async () => {
    const { installation, id, row, login, known } = await connected()
    await getBranchHead(ctx, row, known, 'main')
    await github.suspend(installation)
    const suspended = await slipway.refused(
      listRepositories,
      { token, params: { id } },
      409,
      'github_access_lost',
    )
    expect(suspended.text).toContain(`suspended for the account ${login} on GitHub`)
    await github.suspend(installation, false)
    expect((await list(id)).status).toBe(200)
    await github.uninstall(installation)
    await expect(getBranchHead(ctx, row, known, 'main')).rejects.toThrow(
      `Slipway was removed from the account ${login}`,
    )
    const shown = await slipway.ok(listIntegrations, { token, query: { q: login } })
    expect(shown.integrations).toMatchObject([{ status: 'removed' }])
  })

  test('reports a missing permission and who has to accept it', async () => {
    const { installation, row, known } = await connected()
    delete installation.permissions['contents']
    await expect(getBranchHead(ctx, row, known, 'main')).rejects.toThrow('must accept the permissions')
  })

  test('reports when the rate limit resets', async () => {
    const { row, id, known } = await connected()
    await getInstallationToken(ctx, row, { permissions: { metadata: 'read' } })
    github.limitRate({ seconds: 1200 })
    const got = await slipway.refused(listRepositories, { token, params: { id } }, 503, 'github_rate_limit')
    expect(Number(got.headers['retry-after'])).toBeGreaterThan(1100)
    expect(got.text).toMatch(/rate limit reached. Try again after \d\d:\d\d UTC/)
    github.limitRate({ retryAfter: 30 })
    const limited = getBranchHead(ctx, row, known, 'main')
    await expect(limited).rejects.toMatchObject({ code: 'github_rate_limit', retryAfter: 30 })
  })

  test('retries a temporary failure and reports a lasting one', async () => {
    const { row, known } = await connected()
    const path = `/repositories/${known.repository_id}/branches/main`
    for (const how of ['bad gateway', 'down', 'cut'] as const) {
      fail(path, how, 2)
      expect(await getBranchHead(ctx, row, known, 'main')).toMatchObject({ branch: 'main' })
    }
    fail(path, 'bad gateway')
    await expect(getBranchHead(ctx, row, known, 'main')).rejects.toMatchObject({ code: 'outside_failed' })
    fail(path, 'nonsense')
    await expect(getBranchHead(ctx, row, known, 'main')).rejects.toMatchObject({ code: 'outside_failed' })
    fail(path, 'slow')
    ctx.config = impatient
    await expect(getBranchHead(ctx, row, known, 'main')).rejects.toMatchObject({ code: 'outside_slow' })
  })
})

test('never logs an installation token or key', () => {
  const log = slipway.lines.join('\n')
  expect(log.length).toBeGreaterThan(0)
  expect(github.state.installationTokens.size).toBeGreaterThan(5)
  const secrets = [
    ...github.state.installationTokens.keys(),
    github.app.client.secret,
    github.app.webhookSecret,
  ]
  expect(secrets.filter((secret) => log.includes(secret))).toEqual([])
  expect(log).not.toContain('PRIVATE KEY')
})
