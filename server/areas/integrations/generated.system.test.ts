import { afterAll, expect, test } from 'vitest'
import { openBuildStage } from '../../../test/support/stages/build-stage.ts'
import { unique } from '../../../test/support/factories/factories.ts'
import { startFakeNpm } from '../../../test/support/fakes/npm.ts'
import {
  goRepositories,
  nodeRepositories,
  pythonRepositories,
  staticRepositories,
} from '../../../test/support/factories/language-repositories.ts'
import { alpineImage, languageImage } from '../../../test/support/rig/languages.ts'
import { inspect } from './inspect.ts'

const {
  host: server,
  slipway,
  workspace,
  makeBuilt,
  deploy,
  containersOf,
  left,
  lines,
} = await openBuildStage()
slipway.work()
const npm = await startFakeNpm(server.machine)
afterAll(() => npm.close())
const registry = `ENV npm_config_registry=${npm.url}`
for (const image of [
  languageImage('node', registry),
  languageImage('bun', registry),
  languageImage('python'),
  languageImage('nginx'),
  ...(process.env['LONG'] ? [languageImage('go'), alpineImage()] : []),
])
  await server.loadImage(await image)

const node = nodeRepositories(npm.greeting)
const { npm: withNpm, pnpm, bun, ...otherNode } = node
const { Flask, ...otherPython } = pythonRepositories
const short = { npm: withNpm, pnpm, bun, Flask }
const long = { ...short, ...otherNode, ...otherPython, ...staticRepositories, ...goRepositories }

/** For a build on a machine that does other things as well. */
const patience = 300_000

test.each(Object.entries(process.env['LONG'] ? long : short))(
  'the Dockerfile for %s makes an image that answers on its port',
  async (_, files = {}) => {
    const found = await inspect(
      { paths: Object.keys(files), read: (path) => Promise.resolve(files[path]) },
      '',
    )
    const tag = unique('made')
    await server.exec('sh', '-euc', build, 'sh', tag, found.generated ?? '', ...Object.entries(files).flat())
    const answer = await server.exec('sh', '-euc', ask, 'sh', tag, String(found.port))
    expect(answer.trim()).toBe('hello')
  },
  patience,
)

test(
  'a deployment of such a repository says what it found, and makes it',
  async () => {
    const { id } = await makeBuilt({ 'index.html': 'hello' }, {}, { port: 80 })
    const done = await deploy(id)
    expect([done.errors, done.status]).toEqual([[], 'completed'])
    expect(done.data.logs.join('\n')).toContain(
      'A static site, by its index.html: its files are served on port 80.',
    )
    const [container = ''] = await containersOf(id)
    expect(await lines('docker exec "$1" wget -qO- http://127.0.0.1/some/page', container)).toEqual(['hello'])
  },
  patience,
)

// Its frontend is an image of a registry that is not reached from here, which is how far this goes.
test(
  'Railpack is asked for a plan where an admin chose it, and what it does not know is said',
  async () => {
    await slipway.db
      .updateTable('members')
      .set({ role: 'admin' })
      .where('workspace_id', '=', workspace)
      .where('role', '=', 'member')
      .execute()
    const { id } = await makeBuilt({ 'mix.exs': '' }, { builder: 'railpack' })
    await server.exec('sh', '-euc', railpack)
    const unknown = await deploy(id)
    expect(unknown.errors[0]).toMatch(/^Railpack does not know how to build octocat\//)
    expect(unknown.data.logs.join('\n')).toContain('build: no provider for mix.exs')
    await server.exec('touch', '/tmp/knows')
    const planned = await deploy(id)
    expect(planned.data.logs.join('\n')).toContain('ghcr.io/railwayapp/railpack-frontend')
    expect(planned.errors[0]).toMatch(/^The build of octocat\/\S+ failed on /)
    expect(await left(id)).toEqual({ work: [], folders: ['git'], tags: [], groups: [] })
  },
  patience,
)

/** Is called as the real one, and knows how to build things when there is a file that says so. */
const railpack = `cat > /usr/local/bin/railpack <<'END'
#!/bin/sh
[ "$1 $2 $4" = 'prepare --plan-out --' ] || exit 2
[ -e /tmp/knows ] || { echo "no provider for $(ls "$5")"; exit 1; }
echo '{"steps":[]}' > "$3"
END
chmod 755 /usr/local/bin/railpack`

const build = `
tag=$1 dockerfile=$2
shift 2
mkdir "/tmp/$tag" && cd "/tmp/$tag"
while [ $# -gt 0 ]; do
  mkdir -p "$(dirname "$1")"
  printf %s "$2" > "$1"
  shift 2
done
printf %s "$dockerfile" | DOCKER_BUILDKIT=1 docker build --progress plain --tag "$tag" --file - . > "/tmp/$tag.log" 2>&1 || {
  printf '%s\\n' "$dockerfile"
  tail -n 60 "/tmp/$tag.log"
  exit 1
} >&2`

const ask = `
docker run --detach --name "$1" "$1" > /dev/null
address=$(docker inspect --format '{{.NetworkSettings.IPAddress}}' "$1")
for attempt in $(seq 200); do
  ! curl --silent --fail --max-time 2 "http://$address:$2/" || exit 0
  sleep 0.1
done
docker logs "$1" >&2
exit 1`
