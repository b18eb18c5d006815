import { afterAll, expect, test } from 'vitest'
import { detectBuild } from './detect-build.ts'
import { unique } from '../../../test/support/factories/factories.ts'
import { startFakeNpm } from '../../../test/support/fakes/npm.ts'
import { alpineImage, languageImage } from '../../../test/support/rig/languages.ts'
import { openBuildStage } from '../../../test/support/stages/build-stage.ts'
import { isLong } from '../../../test/support/run/campaign.ts'

type Greeting = Awaited<ReturnType<typeof startFakeNpm>>['greeting']
type Files = Record<string, string>

const json = (value: object) => JSON.stringify(value)

/** A server that responds with the text of its package on the configured port. */
const greeter = `const text = require('greeting')
require('node:http').createServer((_, response) => response.end(text)).listen(process.env.PORT)
`

const nodeFiles = (more: Files, about: object = {}): Files => ({
  'package.json': json({
    name: 'app',
    version: '1.0.0',
    scripts: { build: 'node -e "require(\'greeting\')"', start: 'node server.js --quiet' },
    dependencies: { greeting: '1.0.0' },
    ...about,
  }),
  'server.js': greeter,
  ...more,
})

/** Repositories without a Dockerfile, one per package manager of Node.js, that depend on `greeting`. */
const nodeRepositories = (greeting: Greeting): Record<string, Files> => {
  const dependencies = { greeting: '1.0.0' }
  return {
    npm: nodeFiles({
      'package-lock.json': json({
        name: 'app',
        version: '1.0.0',
        lockfileVersion: 3,
        packages: {
          '': { name: 'app', version: '1.0.0', dependencies },
          'node_modules/greeting': {
            version: '1.0.0',
            resolved: greeting.tarball,
            integrity: greeting.integrity,
          },
        },
      }),
    }),
    pnpm: nodeFiles({
      'pnpm-lock.yaml': `lockfileVersion: '9.0'
settings: {autoInstallPeers: true, excludeLinksFromLockfile: false}
importers:
  .:
    dependencies:
      greeting: {specifier: 1.0.0, version: 1.0.0}
packages:
  greeting@1.0.0:
    resolution: {integrity: ${greeting.integrity}, tarball: ${greeting.tarball}}
snapshots:
  greeting@1.0.0: {}
`,
    }),
    yarn: nodeFiles({
      'yarn.lock': `# yarn lockfile v1


greeting@1.0.0:
  version "1.0.0"
  resolved "${greeting.tarball}#${greeting.shasum}"
  integrity ${greeting.integrity}
`,
    }),
    'yarn 4': nodeFiles(
      {
        'greeting/package.json': json({ name: 'greeting', version: '1.0.0' }),
        'greeting/index.js': "module.exports = 'hello'\n",
        'yarn.lock': `__metadata:
  version: 8
  cacheKey: 10c0

"app@workspace:.":
  version: 0.0.0-use.local
  resolution: "app@workspace:."
  dependencies:
    greeting: "link:./greeting"
  languageName: unknown
  linkType: soft

"greeting@link:./greeting::locator=app%40workspace%3A.":
  version: 0.0.0-use.local
  resolution: "greeting@link:./greeting::locator=app%40workspace%3A."
  languageName: node
  linkType: soft
`,
      },
      { dependencies: { greeting: 'link:./greeting' } },
    ),
    bun: nodeFiles(
      {
        'bun.lock': json({
          lockfileVersion: 1,
          workspaces: { '': { name: 'app', dependencies } },
          packages: { greeting: ['greeting@1.0.0', greeting.tarball, {}, greeting.integrity] },
        }),
      },
      { scripts: { start: 'bun server.js' } },
    ),
    // The vite package is a stub: the build script does its work.
    'a site': nodeFiles(
      { 'vite/package.json': json({ name: 'vite', version: '1.0.0' }) },
      {
        scripts: { build: 'mkdir dist && node -p "require(\'greeting\')" > dist/index.html' },
        devDependencies: { vite: 'file:./vite' },
        main: undefined,
      },
    ),
  }
}

const flask = `from flask import Flask
app = Flask(__name__)


@app.get('/')
def hello():
    return 'hello'
`

const pythonRepositories: Record<string, Files> = {
  Flask: {
    'requirements.txt': 'flask\n',
    'app.py': flask,
  },
  'Flask with Gunicorn': {
    'requirements.txt': '-r base.txt\ngunicorn>=20\n',
    'base.txt': 'flask\n',
    'app.py': flask,
  },
  Starlette: {
    'requirements.txt': 'starlette\nuvicorn\n',
    'main.py': `from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

app = Starlette(routes=[Route('/', lambda request: PlainTextResponse('hello'))])
`,
  },
  'a Procfile': {
    Procfile: 'web: python -m http.server $PORT --directory pages\n',
    'main.py': '',
    'pages/index.html': 'hello',
  },
}

const goRepositories: Record<string, Files> = {
  Go: {
    'go.mod': 'module example.com/app\n\ngo 1.19\n',
    'main.go': `package main

import (
	"fmt"
	"net/http"
	"os"
)

func main() {
	http.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") })
	http.ListenAndServe(":"+os.Getenv("PORT"), nil)
}
`,
  },
  'Go with a module of its own': {
    'go.mod':
      'module example.com/app\n\ngo 1.19\n\nrequire example.com/greeting v0.0.0\n\nreplace example.com/greeting => ./greeting\n',
    'greeting/go.mod': 'module example.com/greeting\n\ngo 1.19\n',
    'greeting/greeting.go': 'package greeting\n\nconst Text = "hello"\n',
    'cmd/web/main.go': `package main

import (
	"fmt"
	"net/http"
	"os"

	"example.com/greeting"
)

func main() {
	http.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, greeting.Text) })
	http.ListenAndServe(":"+os.Getenv("PORT"), nil)
}
`,
  },
}

const staticRepositories: Record<string, Files> = {
  pages: { 'index.html': 'hello' },
  'pages in a folder': { 'public/index.html': 'hello', 'README.md': 'not served' },
}

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
const more = () => [
  languageImage('bun', registry),
  languageImage('python'),
  languageImage('go'),
  alpineImage(),
]
for (const image of [languageImage('node', registry), languageImage('nginx'), ...(isLong ? more() : [])])
  await server.loadImage(await image)

const node = nodeRepositories(npm.greeting)
const { npm: withNpm, ...otherNode } = node
const short = { npm: withNpm }
const long = { ...short, ...otherNode, ...pythonRepositories, ...staticRepositories, ...goRepositories }

/** Timeout for a build on a busy machine. */
const timeoutMs = 300_000

test.each(Object.entries(isLong ? long : short))(
  'builds an image for %s that responds on its port',
  async (_, files = {}) => {
    const found = await detectBuild(
      { paths: Object.keys(files), read: (path) => Promise.resolve(files[path]) },
      '',
    )
    const tag = unique('made')
    await server.exec('sh', '-euc', build, 'sh', tag, found.generated ?? '', ...Object.entries(files).flat())
    const answer = await server.exec('sh', '-euc', ask, 'sh', tag, String(found.port))
    expect(answer.trim()).toBe('hello')
  },
  timeoutMs,
)

test(
  'logs the detected build in the deployment and builds it',
  async () => {
    const { id } = await makeBuilt({ 'index.html': 'hello' }, {}, { port: 80 })
    const done = await deploy(id)
    expect([done.errors, done.status]).toEqual([[], 'completed'])
    expect(done.data.logs.join('\n')).toContain('Static site with index.html, served on port 80.')
    const [container = ''] = await containersOf(id)
    expect(await lines('docker exec "$1" wget -qO- http://127.0.0.1/some/page', container)).toEqual(['hello'])
  },
  timeoutMs,
)

// The Railpack frontend is an image of an unreachable registry, so the build cannot be tested further.
test(
  'uses Railpack when an admin selected it and reports what it does not support',
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
    expect(unknown.errors[0]).toMatch(/^Railpack cannot build octocat\//)
    expect(unknown.data.logs.join('\n')).toContain('build: no provider for mix.exs')
    await server.exec('touch', '/tmp/knows')
    const planned = await deploy(id)
    expect(planned.data.logs.join('\n')).toContain('ghcr.io/railwayapp/railpack-frontend')
    expect(planned.errors[0]).toMatch(/^The build of octocat\/\S+ failed on /)
    expect(await left(id)).toEqual({ work: [], folders: ['git'], tags: [], groups: [] })
  },
  timeoutMs,
)

/** A fake Railpack with the same arguments that plans a build only if /tmp/knows exists. */
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
for attempt in $(seq 1000); do
  ! curl --silent --fail --max-time 2 "http://$address:$2/" || exit 0
  sleep 0.1
done
docker logs "$1" >&2
exit 1`
