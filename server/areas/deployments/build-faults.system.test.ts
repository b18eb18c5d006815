import { expect, test, vi } from 'vitest'
import { openBuildStage } from '../../../test/support/stages/build-stage.ts'
import { runContainer } from '../../../test/support/stages/containers.ts'
import { requestDeployment } from './request-deployment.ts'
import { isLong, longTest } from '../../../test/support/run/campaign.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

// A busy machine needs longer; only the long form waits for the limit.
const stage = await openBuildStage({ OUTSIDE_TIMEOUT: isLong ? '5' : '60' })
const { github, slipway, host, workspace, token, deploy, request, ended, makeBuilt, left, lines } = stage
slipway.work()

const building = (step: string) => `FROM rig/busybox\nRUN ${step}\nCMD ["sleep", "3600"]\n`
const clean = { work: [], folders: ['git'], tags: [], groups: [] }
const logOf = ({ data }: { data: { logs: string[] } }) => data.logs.join('\n')
const change = (
  id: `app_${string}`,
  set: { build_minutes?: number; integration_id?: null; branch?: string },
) => slipway.db.updateTable('sources').set(set).where('application_id', '=', id).execute()
const pushed = (id: `app_${string}`, sha: string, branch: string) =>
  requestDeployment(
    slipway.ctx,
    'slipway',
    { workspace_id: workspace, id },
    { type: 'build_application', commit: { sha, branch, message: 'Pushed', author: null, url: '' } },
  )

test('explains a missing commit, a missing branch and a disconnected account', async () => {
  const { id, repository } = await makeBuilt({ Dockerfile: building('true') })
  const sha = await github.commit(repository, { branch: 'other', files: { 'a.txt': '1' } })
  await github.commit(repository, { branch: 'other', from: null, files: { 'b.txt': '2' } })
  await github.forget(repository)
  const gone = await ended((await pushed(id, sha, 'v1')).id)
  expect(gone.errors[0]).toMatch(
    new RegExp(
      `^Commit ${sha.slice(0, 7)} no longer exists in ${repository}: it was replaced by a force push`,
    ),
  )
  expect(await left(id)).toEqual(clean)
  await change(id, { branch: 'other' })
  await github.deleteBranch(repository, 'other')
  expect((await deploy(id)).errors[0]).toMatch(
    new RegExp(`^The branch other of ${repository} does not exist`),
  )
  await change(id, { integration_id: null })
  expect((await deploy(id)).errors[0]).toMatch(/was disconnected\. Connect it again under Integrations/)
})

longTest(
  'waits out rate limits, renews an expired token, and builds the pushed commit if GitHub is unreachable or the head is skipped',
  async () => {
    const { id, repository } = await makeBuilt({ Dockerfile: building('true') })
    github.expireTokens()
    github.limitRate({ seconds: 4 })
    setTimeout(() => github.liftRate(), 4_000)
    const waited = await deploy(id)
    expect(waited.errors).toEqual([])
    expect(logOf(waited)).toMatch(/^GitHub rate limit reached\. Waiting until \d\d:\d\d:\d\d UTC\.$/m)
    const sha = await github.commit(repository, { branch: 'main', files: { 'a.txt': '1' } })
    github.fail('/repositories/*', 'bad gateway')
    const done = await ended((await pushed(id, sha, 'main')).id)
    github.fail('/repositories/*', undefined)
    expect([done.errors, done.commit?.sha]).toEqual([[], sha])
    expect(logOf(done)).toContain('Building the pushed commit.')
    await github.commit(repository, { branch: 'main', message: 'Wording\n\n[skip deploy]' })
    const before = await ended((await pushed(id, sha, 'main')).id)
    expect([before.errors, before.commit?.sha]).toEqual([[], sha])
    expect(logOf(before)).toContain('The latest commit has [skip deploy]')
    // Only the first deployment had to find its commit; the others were requested with one.
    const found = slipway.db.selectFrom('events').select('detail').where('target_id', '=', id)
    expect(await found.where('type', '=', 'deployment.commit_found').execute()).toEqual([
      { detail: waited.message },
    ])
  },
)

/** Measures how many milliseconds the API and a neighbor container take to respond, until `isOver` returns true. */
async function timeAnswers(address: string, isOver: () => boolean) {
  const took: { api: number[]; neighbour: number[] } = { api: [], neighbour: [] }
  while (!isOver()) {
    let began = performance.now()
    await slipway.call('GET /v1/applications', { token })
    took.api.push(performance.now() - began)
    began = performance.now()
    expect(await host.exec('curl', '-sS', '--max-time', '30', `http://${address}/`)).toBe('well\n')
    took.neighbour.push(performance.now() - began)
  }
  return took
}

const median = (all: number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? Infinity

test('kills a build at its memory limit without affecting other containers', async () => {
  const neighbour = await runContainer(host, {
    script: 'echo well > /www/index.html; exec httpd -f -p 80 -h /www',
  })
  const [address = ''] = await lines(
    'docker inspect --format "{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}" "$1"',
    neighbour,
  )
  const until = Date.now() + 5_000
  const before = await timeAnswers(address, () => Date.now() > until)
  // The kernel kills each process at the memory limit, and the next one starts.
  const eater = building('for n in 1 2 3 4 5 6; do tail -c 900m /dev/zero; done; tail -c 900m /dev/zero')
  const { id } = await makeBuilt({ Dockerfile: eater }, { build_memory: 128 * 1024 ** 2, build_cpus: 1 })
  const { id: deployment } = await request(id)
  const over = ended(deployment, 200_000)
  const state = { isOver: false }
  void over.finally(() => (state.isOver = true)).catch(() => {})
  const meanwhile = await timeAnswers(address, () => state.isOver)
  const failed = await over
  expect(failed.errors[0]).toMatch(/ran out of memory \(limit 128 MiB\)\. /)
  expect(meanwhile.api.length).toBeGreaterThan(5)
  // The limit allows for a busy machine; a server without free memory would take far longer.
  for (const who of ['api', 'neighbour'] as const)
    expect(median(meanwhile[who])).toBeLessThan(3_000 + 4 * median(before[who]))
  expect(await left(id)).toEqual(clean)
})

longTest('stops a build that exceeds its time or the disk space', async () => {
  const { id } = await makeBuilt({ Dockerfile: building('sleep 4321') })
  await change(id, { build_minutes: 0 })
  expect((await deploy(id)).errors[0]).toMatch(/timed out after 0 minutes on \S+\./)
  const huge = await makeBuilt({ Dockerfile: building('cat /dev/zero > /big') })
  const [free = '0'] = await lines('df --output=avail -Bk / | tail -1 | tr -dc 0-9')
  await host.exec('fallocate', '-l', `${Number(free) - 900_000}K`, '/filled')
  const full = await deploy(huge.id)
  await host.exec('rm', '/filled')
  expect(full.errors[0]).toMatch(
    /^(The disk of \S+ is full|The build was stopped: the disk of \S+ is almost full|Not enough disk space on )/,
  )
  expect(await left(huge.id)).toEqual(clean)
})

test('builds a push during a build next, and a canceled build leaves nothing behind', async () => {
  const runs = (seconds: number) => lines('pgrep -f "^sleep $1$" || true', String(seconds))
  const untilRuns = (seconds: number) =>
    vi.waitFor(async () => expect(await runs(seconds)).not.toEqual([]), { interval: 200 })
  const { id, repository } = await makeBuilt({ Dockerfile: building('sleep 4320 || true') })
  const first = await request(id)
  await stage.untilAt(first.id, 'build')
  await untilRuns(4320)
  const older = await github.commit(repository, { branch: 'main', files: { 'a.txt': '1' } })
  const second = await pushed(id, older, 'main')
  const sha = await github.commit(repository, {
    branch: 'main',
    files: { Dockerfile: building('sleep 4322') },
  })
  await host.exec('pkill', '-f', '^sleep 4320$')
  expect(await ended(first.id)).toMatchObject({ status: 'completed', errors: [] })
  await stage.untilAt(second.id, 'build')
  expect((await stage.look(second.id)).commit?.sha).toBe(sha)
  await untilRuns(4322)
  await slipway.call('POST /v1/deployments/{id}/cancel', { token, params: { id: second.id } })
  expect(await ended(second.id)).toMatchObject({ status: 'cancelled' })
  await vi.waitFor(async () => expect(await runs(4322)).toEqual([]), { interval: 200 })
  expect(await left(id)).toEqual({ ...clean, tags: ['1'] })
})

longTest('fails soon when GitHub does not respond', async () => {
  const { id } = await makeBuilt({ Dockerfile: building('true') })
  github.fail('/repositories/*', 'slow')
  const began = Date.now()
  const failed = await deploy(id)
  github.fail('/repositories/*', undefined)
  github.letGo()
  expect(failed.errors[0]).toMatch(/^GitHub did not respond in time\./)
  expect(Date.now() - began).toBeLessThan(45_000)
  expect(await left(id)).toEqual({ ...clean, folders: [] })
  expect((await deploy(id)).errors).toEqual([])
})

longTest('explains an uninstalled GitHub App and keeps the previous release live', async () => {
  const { id, repository } = await makeBuilt({ Dockerfile: building('true') })
  expect((await deploy(id)).errors).toEqual([])
  const serving = await stage.containersOf(id)
  const sha = await github.commit(repository, { files: { 'a.txt': '1' } })
  await github.uninstall(stage.installation)
  for (const over of [await deploy(id), await ended((await pushed(id, sha, 'main')).id)])
    expect(over.errors[0]).toMatch(
      /^Slipway was removed from the account octocat on GitHub\. Connect it again/,
    )
  expect(await stage.containersOf(id)).toEqual(serving)
  expect(await stage.instancesOf(id)).toMatchObject([{ state: 'serving' }])
  expect(await left(id)).toEqual({ ...clean, tags: ['1'] })
})
