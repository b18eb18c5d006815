import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { getApplication } from '../../../../contract/applications.ts'
import { listReleases } from '../../../../contract/releases.ts'
import { openBuildStage } from '../../../../test/support/stages/build-stage.ts'
import { startDeployer } from '../../../../test/support/stages/deployments.ts'
import { longTest } from '../../../../test/support/run/campaign.ts'

const stage = await openBuildStage()
const { github, slipway, host, token, deploy, rebuild, ended, makeBuilt, setEnv, left, lines } = stage
slipway.work()

const sleeping = 'FROM rig/busybox\nRUN echo made > /made\nCMD ["sleep", "3600"]\n'
const logOf = ({ data }: { data: { logs: string[] } }) => data.logs.join('\n')
const inside = async (id: Parameters<typeof left>[0], path: string) => {
  const [container = ''] = await stage.containersOf(id)
  return host.exec('docker', 'exec', container, 'cat', path)
}

test('builds the head of the branch, and not the same commit twice', async () => {
  const { id, repository } = await makeBuilt({ Dockerfile: sleeping })
  const done = await deploy(id)
  expect(done.errors).toEqual([])
  expect(done).toMatchObject({ type: 'build_application', status: 'completed' })
  expect(done.message).toBe(`Build ${repository} at ${done.commit?.sha.slice(0, 7)}: First`)
  expect(done.steps.map(({ name }) => name).join(' ')).toBe('check fetch build start wait switch drain prune')
  const { application } = await slipway.ok(getApplication, { token, params: { id } })
  expect(application).toMatchObject({
    source: { type: 'github', repository: { name: repository, branch: 'main' } },
    repository: { repository, branch: 'main', builder: 'auto' },
    release: { number: 1, commit: { sha: done.commit?.sha } },
    changed: false,
  })
  expect(await left(id)).toEqual({ work: [], folders: ['git'], tags: ['1'], groups: [] })
  const again = await deploy(id)
  expect(logOf(again)).toContain('Reusing the image of release 1')
  expect(logOf(again)).not.toContain('build: #')
  // Lock files as an interrupted Git leaves them.
  const git = `/var/lib/slipway/sources/${id}/git`
  await host.exec('touch', `${git}/shallow.lock`, `${git}/refs/slipway/last.lock`)
  const rebuilt = await ended((await rebuild(id)).id)
  // A rebuild asks the registry for base images; none is reachable here, so it uses the copy on the server.
  expect(rebuilt.errors).toEqual([])
  expect(logOf(rebuilt)).toMatch(/^build: #\d+ ERROR: .*\/v2\/rig\/busybox\/manifests\/latest/m)
  expect(logOf(rebuilt)).toMatch(
    /^build: Warning: could not pull \S*rig\/busybox\S* Using the copy on this server/m,
  )
  const { releases } = await slipway.ok(listReleases, { token, params: { id } })
  expect(releases.map(({ commit }) => commit?.sha)).toEqual(Array(3).fill(done.commit?.sha))
  expect(releases[1]?.image_id).toBe(releases[2]?.image_id)
  expect(releases[0]?.image_id).not.toBe(releases[1]?.image_id)
})

longTest('follows a renamed repository, and fails for a deleted one', async () => {
  const { id, repository } = await makeBuilt({ Dockerfile: sleeping })
  const renamed = `${repository}-2`
  const other = { Dockerfile: sleeping.replace('echo made', 'echo other') }
  await github.renameRepository(repository, renamed.split('/')[1] ?? '')
  await github.addRepository(repository, other, { private: false })
  const sha = await github.commit(renamed, { branch: 'main', files: { 'a.txt': '1' } })
  const done = await deploy(id)
  expect([done.errors, done.commit?.sha]).toEqual([[], sha])
  expect(await inside(id, '/made')).toBe('made\n')
  const { application } = await slipway.ok(getApplication, { token, params: { id } })
  expect(application.repository).toMatchObject({ repository: renamed })
  github.deleteRepository(renamed)
  await github.addRepository(renamed, other, { private: false })
  expect((await deploy(id)).errors[0]).toMatch(/or Slipway has no access to it\. Choose another branch/)
})

test('builds with arguments, secrets, a stage, a folder and submodules, without leaking secrets or the token', async () => {
  github.addOrganization('acme', { octocat: 'admin' })
  await github.addRepository('acme/deep', { 'deep.txt': 'from further down\n' }, { private: false })
  const deep = await github.commit('acme/deep', { branch: 'main', files: { 'more.txt': '' } })
  const nested = { '.gitmodules': '[submodule "deep"]\n\tpath = deep\n\turl = ../deep.git\n' }
  await github.addRepository('acme/parts', nested, { private: false })
  const part = await github.commit('acme/parts', {
    branch: 'main',
    files: { 'part.txt': 'from a submodule\n', deep: { mode: '160000', content: deep } },
  })
  const dockerfile = `FROM rig/busybox AS made
ARG COLOUR
ARG TZ
ARG memory
ARG GIT_TOKEN
RUN --mount=type=secret,id=KEY --mount=type=cache,id=shared,target=/cache sh -c 'cat /run/secrets/KEY; touch /cache/ours; echo for production; echo "$COLOUR $TZ $memory $GIT_TOKEN $(wc -c </run/secrets/KEY)" > /made; sleep 2'
COPY parts/part.txt parts/deep/deep.txt /
CMD ["sleep", "3600"]
FROM rig/busybox
RUN exit 9
`
  const { id } = await makeBuilt(
    {
      'api/build/Image': dockerfile,
      '.gitmodules': '[submodule "parts"]\n\tpath = api/parts\n\turl = ../../acme/parts.git\n',
      'api/parts': { mode: '160000', content: part },
    },
    {
      folder: 'api',
      dockerfile: 'build/Image',
      target: 'made',
      submodules: true,
      build_args: [
        { key: 'COLOUR', value: 'blue $(id) `x`' },
        { key: 'TZ', value: '/nothing.so' },
        { key: 'memory', value: 'long-argument' },
        { key: 'GIT_TOKEN', value: 'argument-of-git' },
      ],
      build_secrets: ['KEY'],
    },
  )
  await setEnv(id, { KEY: 'a-secret-of-ours', OTHER: 'another-secret', NODE_ENV: 'production' })
  // Records the argument lists of all processes until the deployment is finished.
  const watch =
    'while [ ! -e /tmp/enough ]; do cat /proc/[0-9]*/cmdline; sleep 0.02; done >/tmp/seen 2>/dev/null'
  const watching = host.exec('sh', '-c', watch)
  const done = await deploy(id)
  await host.exec('touch', '/tmp/enough')
  await watching
  expect(done.errors).toEqual([])
  expect(await inside(id, '/made')).toBe('blue $(id) `x` /nothing.so long-argument argument-of-git 16\n')
  expect(await inside(id, '/part.txt')).toBe('from a submodule\n')
  expect(await inside(id, '/deep.txt')).toBe('from further down\n')
  // Values that builds do not receive are not masked in their logs.
  expect(logOf(done)).toMatch(/^build: .*for production$/m)
  expect(logOf(done)).not.toMatch(/a-secret-of-ours|another-secret/)
  const tokens = [...github.state.installationTokens.keys()]
  expect(tokens.length).toBeGreaterThan(0)
  const seen = (await host.exec('cat', '/tmp/seen')).replaceAll('\0', ' ')
  expect(seen).toMatch(/docker(?:-buildx)? build --progress/)
  for (const value of ['blue $(id)', 'long-argument', 'argument-of-git']) expect(seen).not.toContain(value)
  await host.exec('rm', '/tmp/seen')
  const history = await host.exec(
    'sh',
    '-c',
    'docker history --no-trunc "$1"; docker inspect "$1"',
    'sh',
    done.commit ? await imageOf(id) : '',
  )
  for (const secret of ['a-secret-of-ours', 'another-secret', ...tokens]) {
    expect(seen).not.toContain(secret)
    expect(history).not.toContain(secret)
    expect(logOf(done)).not.toContain(secret)
    const at = await lines(
      'grep -rlsF -- "$1" /root /tmp /etc /var/lib/slipway /var/lib/docker/overlay2 || true',
      secret,
    )
    expect(at).toEqual([])
  }
})

const imageOf = async (id: Parameters<typeof left>[0]) => {
  const { releases } = await slipway.ok(listReleases, { token, params: { id } })
  return releases[0]?.image_id ?? ''
}

test('builds any valid branch name, with caches isolated per application', async () => {
  const looking = sleeping.replace('echo made', '--mount=type=cache,id=shared,target=/cache ls /cache')
  const branch = `feat/$(id)&;'"é{}!|<>#%,=+\``
  const repository = 'octocat/strange'
  await github.addRepository(repository, { 'a.txt': '' })
  await github.commit(repository, { branch, files: { Dockerfile: looking } })
  const { id } = await makeBuilt({ 'a.txt': '' }, { repository, branch })
  const done = await deploy(id)
  expect([done.errors, done.status, done.commit?.branch]).toEqual([[], 'completed', branch])
  expect(await inside(id, '/made')).toBe('')
})

test('uses an edited generated Dockerfile, or generates one', async () => {
  const generated = 'FROM rig/busybox\nCOPY page.html /page\nCMD ["sleep", "3600"]\n'
  const given = await makeBuilt({ 'page.html': 'a page' }, { builder: 'generated', generated })
  expect((await deploy(given.id)).errors).toEqual([])
  expect(await inside(given.id, '/page')).toBe('a page')
  const found = await makeBuilt({ 'index.html': 'a site' })
  const failed = await deploy(found.id)
  expect(logOf(failed)).toMatch(/index\.html/)
  // The build fails, because the server cannot reach a registry for the base image.
  expect(failed.errors[0]).toMatch(/^The build of octocat\/\S+ failed on /)
  const unknown = await makeBuilt({ 'a.txt': '' })
  expect((await deploy(unknown.id)).errors[0]).toMatch(/^Slipway does not know how to build octocat\//)
  const railpack = await makeBuilt({ 'a.txt': '' }, { builder: 'railpack' })
  expect((await deploy(railpack.id)).errors[0]).toMatch(/^Railpack is not installed on /)
  const { deploy: deployAsMember } = startDeployer(slipway, stage.member.token)
  expect((await deployAsMember(railpack.id)).errors[0]).toMatch(
    /root access to the server\. A workspace admin must review the plan/,
  )
  expect(await left(found.id)).toEqual({ work: [], folders: ['git'], tags: [], groups: [] })
})

test.each([
  ['a Dockerfile', { Dockerfile: { mode: '120000', content: '/etc/passwd' } }, {}],
  [
    'an ignore file',
    { Dockerfile: sleeping, '.dockerignore': { mode: '120000', content: '../../../etc/passwd' } },
    {},
  ],
  ['a folder', { api: { mode: '120000', content: '/etc' } }, { folder: 'api' }],
] as const)('%s that is a link out of the repository is not followed', async (_, files, settings) => {
  const { id } = await makeBuilt(files, settings)
  const failed = await deploy(id)
  expect(failed.errors[0]).toMatch(/is a symlink to a place outside the repository/)
  expect(await left(id)).toEqual({ work: [], folders: ['git'], tags: [], groups: [] })
})

longTest('fetches Git LFS files if enabled, from GitHub only', async () => {
  const dockerfile = 'FROM rig/busybox\nCOPY *.bin /\nCMD ["sleep", "3600"]\n'
  const named = `[lfs]\n\turl = ${github.url}/octocat/decoy.git/info/lfs\n[remote "origin"]\n\tlfsurl = file:///etc\n`
  const files = { Dockerfile: dockerfile, '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n' }
  const { id, repository } = await makeBuilt({ ...files, '.lfsconfig': named }, { lfs: true })
  const large = randomBytes(3_000_000)
  const pointer = await github.storeLfs(repository, large)
  const small = await github.storeLfs(repository, Buffer.from('a small one'))
  await github.commit(repository, { files: { 'a.bin': pointer, 'b.bin': small } })
  const done = await deploy(id)
  expect(done.errors).toEqual([])
  const [container = ''] = await stage.containersOf(id)
  const sum = createHash('sha256').update(large).digest('hex')
  expect(await host.exec('docker', 'exec', container, 'sha256sum', '/a.bin')).toBe(`${sum}  /a.bin\n`)
  expect(await inside(id, '/b.bin')).toBe('a small one')
  expect(github.asked.filter((one) => one.includes('decoy'))).toEqual([])
  await slipway.db.updateTable('sources').set({ lfs: false }).where('application_id', '=', id).execute()
  expect((await deploy(id)).errors).toEqual([])
  expect(await inside(id, '/a.bin')).toBe(pointer)
  // The commit was pushed without its Git LFS file.
  await slipway.db.updateTable('sources').set({ lfs: true }).where('application_id', '=', id).execute()
  const lost = pointer.replace(sum, sum.replaceAll('0', '1'))
  await github.commit(repository, { files: { 'a.bin': lost } })
  const failed = await deploy(id)
  expect(failed.errors[0]).toMatch(/^A Git LFS file of \S+ at \w{7} is missing on GitHub\. Push it/)
  expect(await inside(id, '/a.bin')).toBe(pointer)
})

test('explains a missing Dockerfile, folder or Git LFS, and a custom frontend', async () => {
  const one = await makeBuilt({ Dockerfile: sleeping }, { builder: 'dockerfile', dockerfile: 'docker/Other' })
  expect((await deploy(one.id)).errors[0]).toMatch(/^octocat\/\S+ has no docker\/Other\. Add it/)
  const two = await makeBuilt({ Dockerfile: sleeping }, { folder: 'web/app' })
  expect((await deploy(two.id)).errors[0]).toMatch(/^octocat\/\S+ has no folder web\/app\. /)
  await host.exec('rm', '/usr/bin/git-lfs')
  const three = await makeBuilt({ Dockerfile: sleeping }, { lfs: true })
  expect((await deploy(three.id)).errors[0]).toMatch(/^git-lfs is not installed on /)
  const four = await makeBuilt({ Dockerfile: `#  Syntax = evil/frontend:1\n${sleeping}` })
  expect((await deploy(four.id)).errors[0]).toMatch(/uses a custom frontend \(# syntax=evil\/frontend:1\)/)
  // Docker pulls the frontend from Docker Hub, which the server cannot reach.
  const five = await makeBuilt({ Dockerfile: `# syntax=docker/dockerfile:1.4\n${sleeping}` })
  expect((await deploy(five.id)).errors[0]).toMatch(
    /^\S+ could not pull docker\/dockerfile:1, the Dockerfile frontend of \S+: /,
  )
})
