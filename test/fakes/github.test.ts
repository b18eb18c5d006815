import { execFile } from 'node:child_process'
import { createSign } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { urlOf } from '../support/programs/port.ts'
import { temporaryFolder } from '../support/programs/programs.ts'
import { startFakeGitHub } from '../support/fakes/github.ts'
import { sign } from '../support/fakes/github/webhooks.ts'

const github = await startFakeGitHub()
afterAll(() => github.close())
const run = promisify(execFile)

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

function appToken(from = -60, to = 300) {
  const now = Math.floor(Date.now() / 1000)
  const body = `${part({ alg: 'RS256' })}.${part({ iss: github.app.id, iat: now + from, exp: now + to })}`
  return `${body}.${createSign('RSA-SHA256').update(body).sign(github.app.pem, 'base64url')}`
}

const call = (path: string, token: string, body?: object) =>
  fetch(github.url + path, {
    headers: { authorization: `Bearer ${token}`, 'user-agent': 'test' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })

async function tokenOf(installation: { id: number }, wanted: object = {}): Promise<string> {
  const got = await call(`/app/installations/${installation.id}/access_tokens`, appToken(), wanted)
  const { token } = (await got.json()) as { token: string }
  return token
}

const fetchWith = async (token: string, folder: string, url: string, ref: string) => {
  await run('git', ['init', '--quiet', folder])
  const header = `Authorization: Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`
  const env = { ...process.env, GIT_TERMINAL_PROMPT: '0' }
  const args = ['-C', folder, '-c', `http.extraHeader=${header}`, 'fetch', '--quiet', '--depth', '1', '--']
  await run('git', [...args, url, ref], { env })
  return (await run('git', ['-C', folder, 'rev-parse', 'FETCH_HEAD'])).stdout.trim()
}

test('authenticates an App by its signature, for ten minutes at most', async () => {
  expect((await call('/app', appToken())).status).toBe(200)
  expect((await call('/app', `${appToken().slice(0, -8)}AAAAAAAA`)).status).toBe(401)
  expect((await call('/app', appToken(-60, 700))).status).toBe(401)
  expect((await call('/app', appToken(120))).status).toBe(401)
  expect((await call('/app', appToken(-700, -10))).status).toBe(401)
})

test('issues tokens with the permissions of the installation, which git accepts', async () => {
  github.addAccount('octo')
  await github.addRepository('octo/hello', { 'a.txt': 'one' })
  await github.addRepository('octo/other')
  const installation = github.installApp('octo', ['hello'])
  const branch = `feat/$(id)&;'"é{}!|<>#%`
  const sha = await github.commit('octo/hello', { branch, files: { 'b.txt': 'two' } })
  await github.commit('octo/hello', { branch, from: null, files: { 'c.txt': 'three' } })
  const token = await tokenOf(installation, { repositories: ['hello'], permissions: { contents: 'read' } })
  const folder = await temporaryFolder()
  expect(await fetchWith(token, `${folder}/a`, `${github.url}/octo/hello.git`, sha)).toBe(sha)
  const found = await call(`/repos/octo/hello/branches/${encodeURIComponent(branch)}`, token)
  expect(found.status).toBe(200)
  const without = await tokenOf(installation, { permissions: { statuses: 'write' } })
  for (const [secret, name] of [
    [token, 'other'],
    [without, 'hello'],
    ['ghs_wrong', 'hello'],
  ] as const)
    await expect(
      fetchWith(secret, `${folder}/${secret}`, `${github.url}/octo/${name}.git`, 'main'),
    ).rejects.toThrow('Command failed')
  expect((await call('/repos/octo/hello/branches', without)).status).toBe(403)
  expect((await call('/repos/octo/other', token)).status).toBe(404)
  const wanted = { repositories: ['other'] }
  const refused = await call(`/app/installations/${installation.id}/access_tokens`, appToken(), wanted)
  expect(refused.status).toBe(422)
  await github.suspend(installation)
  expect((await call('/repos/octo/hello', token)).status).toBe(403)
  await github.uninstall(installation)
  expect((await call('/repos/octo/hello', token)).status).toBe(401)
})

test('serves Git LFS files by ID and size to users who can read the repository', async () => {
  github.addAccount('lfs')
  await github.addRepository('lfs/files')
  const token = await tokenOf(github.installApp('lfs'), { permissions: { contents: 'read' } })
  const pointer = await github.storeLfs('lfs/files', Buffer.from('a file'))
  const oid = /sha256:(\w+)/.exec(pointer)?.[1] ?? ''
  const type = 'application/vnd.git-lfs+json'
  const batch = (secret: string, body: object, accept = type) =>
    fetch(`${github.url}/lfs/files.git/info/lfs/objects/batch`, {
      method: 'POST',
      headers: {
        accept,
        'content-type': accept,
        ...(secret && { authorization: `Basic ${btoa(`x-access-token:${secret}`)}` }),
      },
      body: JSON.stringify(body),
    })
  const wanted = { operation: 'download', transfers: ['basic'], objects: [{ oid, size: 6 }] }
  const refused = await batch('', wanted)
  expect([refused.status, refused.headers.get('lfs-authenticate')]).toEqual([401, 'Basic realm="GitHub"'])
  expect((await batch('ghs_wrong', wanted)).status).toBe(401)
  expect((await batch(token, wanted, 'application/json')).status).toBe(406)
  expect((await batch(token, { ...wanted, operation: 'upload' })).status).toBe(403)
  const answered = await (await batch(token, { ...wanted, objects: [{ oid, size: 7 }] })).json()
  expect(answered).toMatchObject({ objects: [{ oid, error: { code: 404 } }] })
  const found: unknown = await (await batch(token, wanted)).json()
  const href = /"href":"([^"]+)"/.exec(JSON.stringify(found))?.[1] ?? ''
  expect((await fetch(href, { headers: { authorization: `Bearer ${token}` } })).status).toBe(400)
  expect(await (await fetch(href)).text()).toBe('a file')
})

test('posts signed push events to the webhook URL of the App', async () => {
  const got: { headers: NodeJS.Dict<string | string[]>; body: string }[] = []
  const listener = createServer((request, response) => {
    const keep = async () => {
      got.push({ headers: request.headers, body: await text(request) })
      response.writeHead(202).end()
    }
    void keep()
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  github.addAccount('mona')
  await github.addRepository('mona/app')
  const installation = github.installApp('mona')
  github.app.hookUrl = urlOf(listener)
  const { sha, sent } = await github.push('mona/app', { files: { 'x/y.txt': '1' }, message: 'Add y\n\nmore' })
  expect(sent).toMatchObject([{ status: 202, event: 'push' }])
  const [{ headers, body } = { headers: {}, body: '' }] = got
  expect(headers['x-hub-signature-256']).toBe(sign(github.app.webhookSecret, body))
  expect(JSON.parse(body)).toMatchObject({
    ref: 'refs/heads/main',
    after: sha,
    created: false,
    forced: false,
    commits: [{ id: sha, added: ['x/y.txt'], message: 'Add y\n\nmore' }],
    installation: { id: installation.id },
    repository: { full_name: 'mona/app' },
  })
  const forced = await github.push('mona/app', { from: null, files: { z: '1' } })
  expect(JSON.parse(forced.sent[0]?.body ?? '')).toMatchObject({ forced: true, before: sha })
  expect(await github.pushTag('mona/app', 'v1')).toMatchObject({ sent: [{ status: 202 }] })
  expect(JSON.parse((await github.deleteBranch('mona/app', 'main'))[0]?.body ?? '')).toMatchObject({
    deleted: true,
    head_commit: null,
  })
  github.app.hookUrl = undefined
  listener.close()
})

test('reports rate limits and pages lists', async () => {
  github.addAccount('pages')
  for (let n = 0; n < 3; n++) await github.addRepository(`pages/r${n}`, {})
  const token = await tokenOf(github.installApp('pages'))
  const first = await call('/installation/repositories?per_page=2', token)
  expect(first.headers.get('link')).toContain('page=2>; rel="next"')
  expect(Number(first.headers.get('x-ratelimit-remaining'))).toBeGreaterThan(0)
  github.limitRate({ seconds: 100 })
  const over = await call('/installation/repositories', token)
  expect([over.status, over.headers.get('x-ratelimit-remaining')]).toEqual([403, '0'])
  github.liftRate()
})
