import { afterAll, expect, test, vi } from 'vitest'
import type { AlertKindName } from '../../../../contract/shared/alert-kinds.ts'
import { makeAlert } from '../../../../test/support/factories/alert-factories.ts'
import {
  makeApplication,
  failedWith,
  makeDeployment,
  makeRelease,
} from '../../../../test/support/factories/application-factories.ts'
import { runContainer } from '../../../../test/support/stages/containers.ts'
import { startSlipway } from '../../../../test/support/stages/context.ts'
import { makeServer, makeWorkspace, nowhere, unique } from '../../../../test/support/factories/factories.ts'
import { takeHost } from '../../../../test/support/stages/take-host.ts'
import { newId } from '../../../platform/ids.ts'
import { appendOutput } from '../../outputs/output.ts'
import type { Cause } from '../incident.ts'
import { findCause } from './find-cause.ts'
import type { Reading, Subject } from '../observer.ts'

const host = await takeHost()
const slipway = await startSlipway()
afterAll(() => slipway.close())
const { ctx, db } = slipway
const workspace = await makeWorkspace(db)
const server = await makeServer(ctx, workspace, host, { name: 'web-1', cpus: 2 })
const application = await makeApplication(db, workspace, server, { name: 'shop' })
const release = await makeRelease(ctx, workspace, application, 1)
const secret = 'hunter2-hunter2'
await makeVariable('API_TOKEN', secret)
await makeVariable('GREETING', 'good morning')

async function makeVariable(key: string, value: string) {
  const id = newId('variable')
  const value_sealed = ctx.secrets.seal(`variables.value_sealed:${id}`, value)
  await db
    .insertInto('variables')
    .values({ id, workspace_id: workspace, application_id: application, position: 0, key, value_sealed })
    .execute()
}

interface SubjectInput extends Partial<Subject> {
  reading?: Reading
}

async function causeOf(kind: AlertKindName, { reading, ...subject }: SubjectInput = {}, limit?: AbortSignal) {
  const id = await makeAlert(db, workspace, { kind })
  const alert = await db.selectFrom('alerts').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const usual: Subject = {
    kind: 'server',
    id: server,
    name: 'web-1',
    workspace_id: workspace,
    server_id: server,
    server_name: 'web-1',
    application_id: null,
    projects: [],
    container: null,
  }
  const about = { alert, subject: { ...usual, ...subject }, reading: reading ?? { value: true } }
  return findCause(ctx, about, limit ?? new AbortController().signal)
}
/** A busy machine may need more than the time limit, so retry. */
const soon = (look: () => Promise<void>) => vi.waitFor(look, { interval: 200 })
const factsOf = ({ facts }: Cause) => Object.fromEntries(facts.map(({ label, value }) => [label, value]))

const ofShop = (id: string) => ({ kind: 'container', id, name: 'any', application_id: application }) as const

/** Writes the rows that a watcher would write. */
async function note(id: string, given: { name?: string; cpu?: number; memory_used?: number }) {
  const [name, now] = [unique('box'), new Date()]
  const of = { workspace_id: workspace, server_id: server, id, image: 'rig/busybox', image_id: 'sha256:0' }
  await db
    .insertInto('containers')
    .values({ ...of, name, state: 'running', created_at: now, ...given })
    .execute()
}

test('of a restarting container: its exit code and last log lines without secrets', async () => {
  const say = [
    'exec 2>&1; for n in 1 2 3 4 5 6 7 8 9 10 11; do printf "\\033[2mline $n\\033[0m\\n"; done',
    String.raw`printf '\033[31mcannot log in with %s or %s\033[0m\n' "$API_TOKEN" "$DB_PASSWORD"`,
    String.raw`printf '%s {{7*7}} <!channel> postgres://shop:sesame-open@db/shop\r\n' "$GREETING"`,
    'head -c 1000 /dev/zero | tr "\\0" x; echo; exit 3',
  ].join('; ')
  const env = { API_TOKEN: secret, DB_PASSWORD: 'only-in-the-container', GREETING: 'good morning' }
  const options = Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`])
  const id = await runContainer(host, { options: ['--restart', 'on-failure:1', ...options], script: say })
  await vi.waitFor(
    async () =>
      expect(await host.exec('docker', 'inspect', '-f', '{{.State.Status}}', id)).toContain('exited'),
    { timeout: 120_000 },
  )
  await note(id, {})
  await soon(async () => {
    const cause = await causeOf('container_restarting', ofShop(id))
    expect(factsOf(cause)).toEqual({
      Application: 'shop',
      Image: 'rig/busybox',
      'Exit code': '3',
      Restarts: '1',
    })
    expect(cause.lines).toHaveLength(10)
    expect(cause.lines[6]).toBe('\u001b[2mline 11\u001b[0m')
    expect(cause.lines.slice(-3)).toEqual([
      'cannot log in with ••• or •••',
      'good morning {{7*7}} <!channel> postgres://shop:•••@db/shop',
      `${'x'.repeat(299)}…`,
    ])
  })
})

test('of a container that is out of memory or unhealthy: its memory limit and health check output', async () => {
  const hungry = await runContainer(host, {
    options: ['--memory', '16m', '--memory-swap', '16m'],
    script: 'echo begins; tail /dev/zero',
  })
  const ill = await runContainer(host, {
    options: [
      '--health-cmd',
      'echo no database; exit 1',
      '--health-interval',
      '200ms',
      '--health-retries',
      '1',
    ],
  })
  const health = async () => host.exec('docker', 'inspect', '-f', '{{.State.Health.Status}}', ill)
  await vi.waitFor(async () => expect(await health()).toContain('unhealthy'))
  await soon(async () => {
    expect(factsOf(await causeOf('container_unhealthy', ofShop(ill)))).toMatchObject({
      'Health check': 'no database',
    })
  })
  await soon(async () =>
    expect(factsOf(await causeOf('container_oom', ofShop(hungry)))).toMatchObject({
      'Exit code': '137: killed (SIGKILL)',
      'Out of memory': 'Yes, killed by the kernel',
      'Memory limit': '16 MiB',
    }),
  )
})

test('of a server: the containers and processes with the highest usage', async () => {
  const busy = await runContainer(host, { script: 'while :; do :; done' })
  await note(busy, { name: 'greedy-1', cpu: 0.9, memory_used: 300 * 1024 ** 2 })
  await note(unique('id'), { name: 'modest-1', cpu: 0.1, memory_used: 1024 ** 2 })
  await soon(async () => {
    const memory = factsOf(await causeOf('memory'))
    expect(memory['Containers']).toMatch(/^greedy-1 300 MiB, modest-1 1 MiB/)
    expect(memory['Processes']).toMatch(/\bdockerd [\d.]+ MiB, /)
  })
  await soon(async () => {
    const cpu = factsOf(await causeOf('cpu'))
    expect(cpu['Containers']).toMatch(/^greedy-1 90 %, modest-1 10 %/)
    expect(cpu['Processes']).toMatch(/\bsh \d+ %/)
  })
  await host.exec('docker', 'rm', '--force', busy)
})

test("of a disk: Docker's usage by type and owner", async () => {
  const script = 'head -c 3000000 /dev/zero > /data/file; yes | head -c 2000000; sleep 1000'
  const options = ['--name', 'chatty', '--volume', 'orders:/data']
  await runContainer(host, { options, script })
  await soon(async () => {
    const facts = factsOf(await causeOf('disk'))
    expect(facts['Images']).toMatch(/^[\d.]+ MiB/)
    expect(facts['Volumes']).toMatch(/the largest orders \(2\.9 MiB\)$/)
    expect(facts['Container logs']).toMatch(/the largest chatty \([\d.]+ MiB\)$/)
  })
})

test('of a failed deployment: the failed step, its error, last log lines and initiator', async () => {
  const commit = JSON.stringify({
    sha: 'a'.repeat(40),
    message: 'Sell more',
    author: null,
    branch: 'main',
    url: '',
  })
  const make = (errors: string[]) =>
    makeDeployment(
      db,
      workspace,
      { id: application, server },
      { ...failedWith(ctx, errors), commit, actor_name: 'Grace', release_id: release },
    )
  const id = await make([`It cannot use ${secret}.`])
  await db
    .insertInto('deployment_steps')
    .values({ workspace_id: workspace, deployment_id: id, position: 1, name: 'wait', status: 'failed' })
    .execute()
  const text = `${'old\n'.repeat(30)}Waiting\nThe token is ${secret}\n`
  await appendOutput(ctx, db, workspace, id, [{ stream: 'stdout', text }])
  const reading = { value: true, deployment_id: id }
  const shop = { kind: 'application', id: application, application_id: application, reading } as const
  const cause = await causeOf('deployment_failed', shop)
  expect(factsOf(cause)).toEqual({
    Error: 'It cannot use •••.',
    Step: 'wait',
    'Requested by': 'Grace',
    Commit: 'aaaaaaa Sell more',
    Image: 'rig/busybox:latest',
    Server: 'web-1',
  })
  expect(cause.lines.slice(-3)).toEqual(['old', 'Waiting', 'The token is •••'])
  const died = { value: true, deployment_id: await make(['It died.', 'panic', 'at line 3']) }
  expect((await causeOf('deployment_failed', { ...shop, reading: died })).lines).toEqual([
    'panic',
    'at line 3',
  ])
  const other = await makeWorkspace(db)
  expect(await causeOf('deployment_failed', { ...shop, workspace_id: other })).toEqual({
    facts: [],
    lines: [],
  })
})

test('of a failing HTTP check: the request and the last log lines of the container', async () => {
  const id = await runContainer(host, { script: `echo "no such table"; exit 1` })
  await note(id, { name: 'shop-web-1' })
  await db.updateTable('containers').set({ state: 'exited', exit_code: 1 }).where('id', '=', id).execute()
  const deployment_id = await makeDeployment(db, workspace, { id: application, server })
  const of = { workspace_id: workspace, application_id: application, server_id: server, deployment_id }
  const instance = { id: newId('instance'), release_id: release, replica: 1, container_id: id } as const
  await db
    .insertInto('instances')
    .values({ ...of, ...instance, state: 'serving' })
    .execute()
  const reading = { value: true, url: 'http://shop.example.com/', detail: 'returned 502 instead of 2xx, 3xx' }
  const shop = { kind: 'application', id: application, application_id: application, reading } as const
  await soon(async () => {
    const cause = await causeOf('http_check', shop)
    expect(factsOf(cause)).toEqual({
      URL: 'http://shop.example.com/',
      Expected: '2xx, 3xx',
      Containers: 'shop-web-1 exited (1)',
    })
    expect(cause.lines).toEqual(['no such table'])
  })
})

test('of an unreachable server: the reason, the time and its applications, without connecting to it', async () => {
  const last_seen_at = new Date('2026-11-16T09:58:12Z')
  const lost = await makeServer(ctx, workspace, nowhere(), {
    status: 'unreachable',
    reason: 'No answer.',
    last_seen_at,
  })
  for (const name of ['blog', 'Api']) {
    const id = await makeApplication(db, workspace, lost, { name })
    await makeRelease(ctx, workspace, id, 1)
  }
  const facts = factsOf(await causeOf('server_unreachable', { id: lost, server_id: lost }))
  expect(facts).toEqual({
    Reason: 'No answer.',
    'Last seen': '2026-11-16 09:58 UTC',
    Applications: 'Api and blog',
  })
})

test('of a certificate: the reason why it was not renewed', async () => {
  const name = `${unique('www')}.example.com`
  await db.insertInto('host_names').values({ host: name, workspace_id: workspace }).execute()
  await db
    .insertInto('certificates')
    .values({
      id: newId('certificate'),
      workspace_id: workspace,
      host: name,
      kind: 'acme',
      status: 'issued',
      expires_at: new Date('2026-12-01T00:00:00Z'),
      error: `${name} points elsewhere.`,
    })
    .execute()
  const cause = await causeOf('certificate_expiry', {
    kind: 'certificate',
    name,
    application_id: application,
  })
  expect(factsOf(cause)).toEqual({
    Application: 'shop',
    Expires: '2026-12-01 00:00 UTC',
    'Last renewal failed': `${name} points elsewhere.`,
  })
})

test('reports what is known when a server hangs', async () => {
  const dead = await makeServer(ctx, workspace, nowhere(), { name: 'dead' })
  const memory_used = 64 * 1024 ** 2
  const of = { workspace_id: workspace, server_id: dead, image: 'any', image_id: 'sha256:0' }
  await db
    .insertInto('containers')
    .values({ ...of, id: unique('id'), name: 'db', state: 'running', created_at: new Date(), memory_used })
    .execute()
  const began = performance.now()
  const cause = await causeOf('memory', { id: dead, server_id: dead })
  expect(performance.now() - began).toBeLessThan(60_000)
  expect(factsOf(cause)).toEqual({ Containers: 'db 64 MiB' })
  const stopped = await causeOf('memory', { id: dead, server_id: dead }, AbortSignal.abort())
  expect(stopped.lines).toEqual([])
})
