import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { api } from '../../contract/api.ts'
import { maxBodyBytes } from '../../contract/endpoint.ts'
import type { Id } from '../../contract/shared/ids.ts'
import { makeAlert, makeIncident } from '../../test/support/factories/alert-factories.ts'
import {
  failedWith,
  makeApplication,
  makeDeployment,
  makeRelease,
} from '../../test/support/factories/application-factories.ts'
import { makeChannel } from '../../test/support/factories/channels.ts'
import { startSlipway, type TestSlipway } from '../../test/support/stages/context.ts'
import {
  makeApiToken,
  makeInstanceOwner,
  makeServer,
  makeSomeone,
  makeWorkspace,
  nowhere,
} from '../../test/support/factories/factories.ts'
import { longTest, someOf } from '../../test/support/run/campaign.ts'
import { freePort, startOn } from '../../test/support/programs/slipway-process.ts'
import { composeSealContext } from '../areas/applications/compose.ts'
import { newId } from '../platform/ids.ts'

/** Milliseconds for which one request may block the event loop. */
const maxBlockMs = 50

let slipway: TestSlipway
let workspace: Id<'workspace'>
let token: string
beforeAll(async () => {
  slipway = await startSlipway()
  workspace = await makeWorkspace(slipway.db)
  const caller = await makeSomeone(slipway.db, workspace, 'owner')
  await makeInstanceOwner(slipway.db, caller)
  token = caller.token
})
afterAll(() => slipway.close())

interface Call {
  name: string
  method: string
  path: string
  body: string
  /** Token of the caller; defaults to that of the owner. */
  token?: string
  /** Runs before each request. */
  prepare?: () => Promise<unknown>
}

/**
 * Sends requests to the built program, whose worker threads do expensive work, and returns the requests that block too
 * long.
 */
async function startMeasuring() {
  const port = await freePort()
  const { url } = await startOn(slipway.database, slipway.key, 'web', {
    TRUST_PROXY: 'loopback',
    PROBE_PORT: port,
    NODE_OPTIONS: `--import=${new URL('fixtures/loop-probe.mjs', import.meta.url).href}`,
  })
  let calls = 0
  const readProbe = async () => Number(await (await fetch(`http://127.0.0.1:${port}`)).text())
  async function ask({ method, path, body }: Call, bearer = token) {
    calls++
    const answer = await fetch(url + path, {
      method,
      ...(method !== 'GET' && { body }),
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${bearer}`,
        // A separate address avoids rate limits.
        'x-forwarded-for': `10.1.${calls >> 8}.${calls & 255}`,
      },
    })
    return { status: answer.status, text: await answer.text() }
  }
  async function send(call: Call) {
    await call.prepare?.()
    const { status, text } = await ask(call, call.token)
    if (status >= 500) throw new Error(`${call.name} gave ${status} ${text}`)
    return text
  }
  // The first measurement includes the start, so it is discarded.
  await readProbe()
  const costOf = async (some: readonly Call[]) => {
    for (const call of some) await send(call)
    return readProbe()
  }
  /** The lowest of eight measurements counts, because compilation and garbage collection increase the others. */
  const findTooCostly = async (all: readonly Call[]): Promise<string[]> => {
    const found: string[] = []
    for (let at = 0; at < all.length; at += 10) {
      const some = all.slice(at, at + 10)
      if ((await costOf(some)) <= maxBlockMs) continue
      for (const call of some) {
        let cost = await costOf([call])
        for (let n = 0; n < 6 && cost > maxBlockMs; n++) cost = Math.min(cost, await costOf([call]))
        if (cost > maxBlockMs) found.push(`${call.name}: ${cost.toFixed(0)} ms`)
      }
    }
    return found
  }
  return { ask, send, findTooCostly }
}

const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at))
const fill = (piece: string, length: number) => piece.repeat(Math.floor(length / piece.length))
const lines = (count: number, make: (at: number) => string) => times(count, make).join('\n')
const entries = (count: number, make: (at: number) => [string, unknown]) =>
  Object.fromEntries(times(count, make))

const withBody = api.filter(({ body }) => body)

/** JSON values that are the most expensive to validate within these limits. */
function worstValues(bytes: number, tokens: number): [kind: string, value: string][] {
  const fits = (each: number, of: number) => Math.floor(Math.min(bytes / each, tokens / of))
  return [
    ['a long text', `"${fill('a.', bytes)}"`],
    ['many lines', `"${fill('A=1 \\n', bytes)}"`],
    ['many objects', `[${times(fits(3, 2), () => '{}').join()}]`],
    ['many texts', `[${times(fits(12, 1), () => '"a.b.c.d/"').join()}]`],
    ['many keys', `{${times(fits(12, 3), (at) => `"k${at}":{}`).join()}}`],
  ]
}

longTest('blocks the event loop less than 50 ms for any field', async () => {
  const { findTooCostly } = await startMeasuring()
  const calls = withBody.flatMap((endpoint, turn): Call[] => {
    const fields = Object.keys(endpoint.body?.shape ?? {})
    // A fifth of the body limit is enough to show a pattern whose time is not linear.
    const bytes = Math.min(maxBodyBytes(endpoint) - 1_000, 100_000) / fields.length
    return someOf(worstValues(bytes, 19_000 / fields.length), 1, turn).map(([kind, value]) => ({
      name: `${endpoint.key} with ${kind}`,
      method: endpoint.method,
      path: endpoint.path.replaceAll(/\{\w+\}/g, 'x'),
      body: `{${fields.map((field) => `"${field}":${value}`).join()}}`,
    }))
  })
  expect(await findTooCostly(calls)).toEqual([])
})

test('blocks the event loop less than 50 ms for any body of the largest size', async () => {
  const { ctx, db } = slipway
  const server = await makeServer(ctx, workspace, { ...nowhere(), address: '127.0.0.1' })
  const id = await makeApplication(db, workspace, server)
  const project = newId('project')
  await db.insertInto('projects').values({ id: project, workspace_id: workspace, name: 'p' }).execute()
  const channel = await makeChannel(ctx, workspace, 'https://10.0.0.1/hook')
  const alert = await makeAlert(db, workspace)
  const { send, findTooCostly } = await startMeasuring()
  const call = (name: string, key: string, body: unknown): Call => {
    const [method = '', path = ''] = key.split(' ')
    return { name: `${key} with ${name}`, method, path, body: JSON.stringify(body) }
  }

  const composes: [string, string][] = [
    ['many arguments', `services:\n  web:\n    image: x\n    command:\n${fill('    - a\n', 199_000)}`],
    ['many services', `services:\n${lines(4_500, (at) => `  s${at}: {image: x, environment: {A: $B}}`)}`],
    ['variables', `services:\n  web:\n    image: x\n    command:\n${fill('    - $A$A$A$A$A$A\n', 110_000)}`],
  ]
  const inputs = lines(100, (at) => `  - { name: A${at}, default: y, pattern: "^(x+x+)+y$|^y$" }`)
  const template = `name: T\ndescription: T.\ncategory: other\ninputs:\n${inputs}`
  const services = `services:\n${lines(150, (at) => `  s${at}: { image: x, environment: { A: "\${A${at % 100}}" } }`)}`
  const made = await send(call('', 'POST /v1/templates', { template, compose: services }))
  const own = z.object({ template: z.object({ id: z.string() }) }).parse(JSON.parse(made)).template.id

  const variables = times(500, (at) => ({ key: `K${at}`, value: 'v'.repeat(900) }))
  const few = variables.slice(0, 200)
  const short = variables.map(({ key }) => ({ key, value: 'v'.repeat(380) }))
  const everything = {
    name: 'all',
    source: { type: 'docker_image', image: 'nginx' },
    env: short,
    labels: short,
    volumes: times(500, (at) => ({ source: `v${at}`, target: `/t${at}` })),
    ports: times(500, (at) => ({ source: 20_000 + at, target: 80 })),
    domains: times(20, (at) => ({ host: `h${at}.example.com` })),
    server_id: server,
    project_id: project,
  }
  const repository = {
    type: 'github',
    integration_id: 'int_x',
    repository: 'a/b',
    branch: 'main',
    generated: fill('RUN x\n', 80_000),
    build_args: times(100, (at) => ({ key: `A${at}`, value: 'v'.repeat(3_000) })),
    watch_paths: times(100, () => '**/a*'.repeat(100)),
    tags: '*a'.repeat(100),
  }
  const nested: unknown = JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`)
  const calls = [
    ...[
      fill('A=1\n', 390_000),
      fill('\n', 250_000),
      fill('  \n', 380_000),
      lines(4_999, (at) => `K${at}=${'v'.repeat(60)}`),
      lines(500, (at) => `K ${at}=${'v'.repeat(780)}`),
      `A=${'x'.repeat(399_000)}`,
    ].map((env, at) => call(`text ${at}`, `PUT /v1/applications/${id}/env`, { env })),
    call('500 paths', `PUT /v1/applications/${id}/volumes`, {
      volumes: lines(500, (at) => `v${at}:/t${'a/'.repeat(380)}b${at}`),
    }),
    call('500 ports', `POST /v1/applications/${id}/ports`, {
      ports: lines(500, (at) => `${30_000 + at}:80`),
    }),
    call('500 variables', `PUT /v1/applications/${id}/env`, { env: variables }),
    call('500 variables', `PUT /v1/projects/${project}/env`, { env: variables }),
    call('500 labels', `PUT /v1/applications/${id}/labels`, { labels: variables }),
    call('everything', 'POST /v1/applications', everything),
    call('everything', 'POST /v1/applications/review', everything),
    call('a repository', `PUT /v1/applications/${id}`, { source: repository }),
    call('100 arguments', `PUT /v1/applications/${id}`, { command: times(100, () => 'x'.repeat(4_096)) }),
    ...composes.flatMap(([name, all]) => {
      const compose = all.slice(0, 199_900)
      const application = { name: 'c', source: { type: 'compose', compose }, server_id: server, env: few }
      return [
        call(name, 'POST /v1/compose/check', { compose, env: few }),
        call(name, 'POST /v1/applications', application),
        call(name, 'POST /v1/applications/review', application),
        call(name, 'POST /v1/templates', { compose, template }),
        call(name, 'POST /v1/templates/check', { compose, template: compose.slice(0, 99_900) }),
      ]
    }),
    ...['deploy', 'review'].flatMap((what) => [
      call('slow patterns', `POST /v1/templates/${own}/${what}`, {
        server_id: server,
        inputs: entries(100, (at) => [`A${at}`, 'x'.repeat(4_500)]),
      }),
      call('unknown inputs', `POST /v1/templates/${own}/${what}`, {
        server_id: server,
        inputs: entries(500, (at) => [`A${at + 100}`.padEnd(60, 'a'), 'x']),
      }),
      call('all inputs', `POST /v1/templates/${own}/${what}`, {
        server_id: server,
        inputs: entries(100, (at) => [`A${at}`, 'y']),
      }),
    ]),
    call('9,000 settings', `PUT /v1/notifications/${channel}`, {
      settings: entries(9_000, (at) => [`k${at}`, null]),
    }),
    call('50 settings', `PUT /v1/notifications/${channel}`, {
      settings: entries(50, (at) => [`k${at}`, 'x'.repeat(4_000)]),
    }),
    call('many statuses', `PUT /v1/alerts/${alert}`, { check: { status: `${fill('200, ', 500_000)}!` } }),
    call('digits', 'POST /v1/api-tokens', {
      name: 'x',
      expires_at: `2030-01-01T00:00:00.${fill('1', 500_000)}Z`,
    }),
    call('PEM', `PUT /v1/applications/${id}/domains/x/certificate`, {
      certificate: fill('-----BEGIN A', 99_000),
      key: fill('-----BEGIN A-----\n', 99_000),
    }),
    call('deep lists', 'POST /v1/projects', { name: times(300, () => nested) }),
    call('escapes', 'POST /v1/projects', { name: fill('\u0001', 86_000) }),
  ]
  expect(calls.filter(({ body }) => Buffer.byteLength(body) > 524_288).map(({ name }) => name)).toEqual([])
  expect(await findTooCostly(calls)).toEqual([])
})

longTest('blocks the event loop less than 50 ms for reads with 30 compose files of 77 kB', async () => {
  const { ctx, db } = slipway
  const home = await makeWorkspace(db)
  const server = await makeServer(ctx, home, nowhere(), { status: 'unreachable' })
  const viewer = await makeSomeone(db, home, 'viewer')
  const readToken = await makeApiToken(db, home, await makeSomeone(db, home, 'owner'), {
    role: 'owner',
    scope: 'read',
  })
  const compose = `services:\n${lines(30, (at) => `  s${at}:\n    image: x\n    environment:\n${lines(100, (n) => `      K${n}: secret-${at}-${n}`)}`)}`
  const text = compose + fill('# x\n', 77_000 - compose.length)
  const alert = await makeAlert(db, home)
  const summary = 'It answered secret-7-42.'
  const make = async (isDeployed: boolean) => {
    const id = newId('application')
    const compose_sealed = ctx.secrets.seal(composeSealContext(id), text)
    await makeApplication(db, home, server, { id, source_type: 'compose', image: null, compose_sealed })
    await makeIncident(db, home, alert, { application_id: id, summary })
    await makeDeployment(db, home, { id, server }, failedWith(ctx, [summary]))
    if (isDeployed) await makeRelease(ctx, home, id, 1)
    return id
  }
  const draft = await make(false)
  const others: Id<'application'>[] = []
  for (let at = 1; at < 30; at++) others.push(await make(true))
  const { send, findTooCostly } = await startMeasuring()
  // A new revision is not cached yet.
  const prepare = () =>
    db
      .updateTable('applications')
      .set({ stop_first: false })
      .where('workspace_id', '=', home)
      .where('id', 'in', [draft, ...others.slice(-3)])
      .execute()
  const calls = [viewer.token, readToken.token].flatMap((token, at) =>
    [
      'home',
      'applications',
      'deployments',
      'incidents',
      `applications/${draft}`,
      `applications/${draft}/volumes`,
    ].map((path): Call => ({
      name: `GET /v1/${path} ${at === 0 ? 'as a viewer' : 'with a read token'}`,
      method: 'GET',
      path: `/v1/${path}`,
      body: '',
      token,
      prepare,
    })),
  )
  for (const call of calls.slice(0, 4)) {
    const answer = await send(call)
    expect(answer).toContain('id')
    expect(answer).not.toMatch(/secret-7-42|Hidden/)
  }
  expect(await findTooCostly(calls)).toEqual([])
})

test('queues ten checks per workspace, refuses more, and serves others in between', async () => {
  const { ask } = await startMeasuring()
  const check = (at: number | string): Call => ({
    name: 'a check',
    method: 'POST',
    path: '/v1/compose/check',
    body: JSON.stringify({
      compose: `services:\n  web:\n    image: x\n    command:\n${fill('    - $$a\n', 150_000)}# ${at}`,
    }),
  })
  // The first request starts the worker thread.
  await ask(check('first'))
  const other = await makeSomeone(slipway.db, await makeWorkspace(slipway.db), 'owner')
  const answers: Awaited<ReturnType<typeof ask>>[] = []
  const accepted = () => answers.filter(({ status }) => status === 200).length
  // Each caller may send three large requests at a time.
  const people = await Promise.all(times(6, () => makeSomeone(slipway.db, workspace, 'admin')))
  const theirs = times(30, async (at) => answers.push(await ask(check(at), people[at % 6]?.token)))
  await expect.poll(() => answers.length - accepted()).toBeGreaterThan(0)
  expect((await ask(check('another'), other.token)).status).toBe(200)
  const before = accepted()
  await Promise.all(theirs)
  expect(accepted() - before).toBeGreaterThan(3)
  for (const { status, text } of answers.filter((answer) => answer.status !== 200))
    expect(`${status} ${text}`).toMatch(/^429 .*waiting to be checked.*too_many_checks/)
})
