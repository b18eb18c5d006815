import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { getApplication } from '../../../contract/applications.ts'
import { makeApplication, makeRelease } from '../../../test/support/factories/application-factories.ts'
import { makeServer, makeTeam, nowhere, unique } from '../../../test/support/factories/factories.ts'
import { urlOf } from '../../../test/support/programs/port.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { newId } from '../../platform/ids.ts'
import { probeHeader } from '../../remote/proxy/traffic-counters.ts'
import { probeKey } from '../proxies/read-routing.ts'
import { fetchDueFavicons } from './fetch-favicons.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { db, ctx } = slipway

const makePng = (size: number) => {
  const content = Buffer.concat([Buffer.from('\x89PNG\r\n\x1A\n', 'latin1'), Buffer.alloc(200, 7)])
  content.writeUInt32BE(size, 16)
  content.writeUInt32BE(size, 20)
  return content
}
const png = makePng(64)
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'

/** Returns an SVG that freezes a browser, because it draws two to the power of `levels` rectangles. */
function nestedSvg(levels: number) {
  const level = (_: unknown, index: number) =>
    `<g id="a${index + 1}"><use href="#a${index}"/><use href="#a${index}"/></g>`
  const groups = Array.from({ length: levels }, level).join('')
  return `<svg xmlns="http://www.w3.org/2000/svg"><rect id="a0" width="1" height="1"/>${groups}</svg>`
}

type Site = Record<string, Buffer | string | number | { location: string }>

/** Creates a live application whose proxy responds with the pages of `site`, which tests may change. */
async function openSite(site: Site) {
  const requests: { url: string; headers: IncomingMessage['headers'] }[] = []
  const respond = ({ url = '', headers }: IncomingMessage, response: ServerResponse) => {
    requests.push({ url, headers })
    const page = site[url] ?? 404
    if (typeof page === 'number') response.writeHead(page).end('<!doctype html>')
    else if (typeof page === 'string' || Buffer.isBuffer(page)) response.end(page)
    else response.writeHead(302, page).end()
  }
  const proxy = createServer(respond).listen(0, '127.0.0.1')
  onTestFinished(() => proxy.close().closeAllConnections())
  await once(proxy, 'listening')
  const http_port = Number(new URL(urlOf(proxy)).port)
  const { workspace, viewer } = await makeTeam(db)
  const server = await makeServer(ctx, workspace, { ...nowhere(), address: '127.0.0.1' }, { http_port })
  const id = await makeApplication(db, workspace, server)
  await makeRelease(ctx, workspace, id, 1)
  const host = `${unique('shop')}.127-0-0-1.sslip.io`
  const domain = { host, path: '/', https: false, generated: true }
  await db
    .insertInto('domains')
    .values({ id: newId('domain'), workspace_id: workspace, application_id: id, ...domain })
    .execute()
  const read = async () => {
    await fetchDueFavicons(ctx, new AbortController().signal)
    const { application } = await slipway.ok(getApplication, { token: viewer.token, params: { id } })
    return application.favicon
  }
  const release = (number: number) => makeRelease(ctx, workspace, id, number)
  return { id, server, host, port: http_port, requests, read, release }
}

const download = async (path: string | null) => {
  const { statusCode: status, headers, rawPayload } = await slipway.app.inject({ url: path ?? '' })
  return { status, headers, content: rawPayload }
}

test('shows the icon that the page of an application links, without a token', async () => {
  const site = await openSite({
    '/': '<html><head><LINK href=/assets/icon.png?v=1&amp;s=32 rel="shortcut icon"></head>',
    '/assets/icon.png?v=1&s=32': png,
  })
  const favicon = await site.read()
  expect(favicon).toMatch(/^\/v1\/favicons\/fav_[\w-]{43}$/)
  expect(await download(favicon)).toMatchObject({
    status: 200,
    content: png,
    headers: {
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-disposition': expect.stringMatching(/^attachment/),
      'cache-control': expect.stringContaining('immutable'),
    },
  })
  expect(await download('/v1/favicons/fav_unknown')).toMatchObject({ status: 404 })
  expect(site.requests[0]?.headers).toMatchObject({
    host: expect.stringContaining(site.host),
    'user-agent': expect.stringMatching(/^Slipway\/.* favicon$/),
    [probeHeader]: probeKey(ctx, site.server),
  })
})

test('runs no script of an SVG', async () => {
  const site = await openSite({ '/': '<link rel=icon href=/icon.svg>', '/icon.svg': svg })
  const { headers } = await download(await site.read())
  expect(headers['content-type']).toBe('image/svg+xml')
  expect(headers['content-security-policy']).toBe("default-src 'none'; style-src 'unsafe-inline'; sandbox")
})

test('follows redirects of the same host only, and falls back to /favicon.ico', async () => {
  const site = await openSite({
    '/': { location: '/login' },
    '/login': '<link rel="icon" href="http://169.254.169.254/icon.png"><link rel="icon" href="/moved.png">',
    '/moved.png': { location: 'http://127.0.0.2/icon.png' },
    '/favicon.ico': Buffer.concat([Buffer.from([0, 0, 1, 0]), Buffer.alloc(50)]),
  })
  expect((await download(await site.read())).headers['content-type']).toBe('image/x-icon')
  expect(site.requests.map(({ url }) => url)).toEqual(['/', '/login', '/moved.png', '/favicon.ico'])
})

test.each([
  ['a page instead of a picture', '<!doctype html><p>Not found</p>'],
  ['more than 128 KB', Buffer.concat([png, Buffer.alloc(128 * 1024)])],
  ['nothing', Buffer.alloc(0)],
  ['a picture that decodes to gigabytes', makePng(30_000)],
  ['an SVG that multiplies its parts', nestedSvg(16)],
])('has no favicon if the server sends %s', async (_, icon) => {
  const site = await openSite({ '/': 401, '/favicon.ico': icon })
  expect(await site.read()).toBeNull()
  expect(site.requests).toHaveLength(2)
  expect(await site.read()).toBeNull()
  expect(site.requests).toHaveLength(2)
})

test('checks again after a deployment, and keeps the favicon while the application fails', async () => {
  const pages: Site = { '/': 200, '/favicon.ico': png }
  const site = await openSite(pages)
  const first = await site.read()
  pages['/'] = 503
  await site.release(2)
  expect(await site.read()).toBe(first)
  expect(site.requests).toHaveLength(3)
  pages['/'] = 200
  await site.release(3)
  expect(await site.read()).toBe(first)
  pages['/favicon.ico'] = svg
  await site.release(4)
  const next = await site.read()
  expect(next).not.toBe(first)
  expect(await download(first)).toMatchObject({ status: 404 })
  pages['/favicon.ico'] = 404
  await site.release(5)
  expect(await site.read()).toBeNull()
})

test('reads a hostile page in linear time', async () => {
  const site = await openSite({ '/': '<link '.repeat(50_000), '/favicon.ico': png })
  // Other work on the machine does not change the processor time.
  const before = process.cpuUsage()
  expect(await site.read()).not.toBeNull()
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1_000).toBeLessThan(2_000)
})

test('stays on the ports of the proxy', async () => {
  const other = await openSite({ '/icon.png': png })
  const pages: Site = {}
  const site = await openSite(pages)
  const elsewhere = `http://${site.host}:${other.port}/icon.png`
  pages['/'] = `<link rel="icon" href="${elsewhere}"><link rel="icon" href="ftp://${site.host}/icon.png">`
  pages['/favicon.ico'] = { location: elsewhere }
  expect(await site.read()).toBeNull()
  expect(site.requests.map(({ url }) => url)).toEqual(['/', '/favicon.ico'])
  expect(other.requests.map(({ url }) => url)).not.toContain('/icon.png')
})

test('asks no host whose ownership is unproven', async () => {
  const site = await openSite({ '/': 200, '/favicon.ico': png })
  await db.updateTable('domains').set({ generated: false }).where('application_id', '=', site.id).execute()
  expect(await site.read()).toBeNull()
  expect(site.requests).toEqual([])
})
