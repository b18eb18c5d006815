import type { startFakeNpm } from '../fakes/npm.ts'

type Greeting = Awaited<ReturnType<typeof startFakeNpm>>['greeting']
type Files = Record<string, string>

const json = (value: object) => JSON.stringify(value)

/** Says what its package says, where it is told to listen. */
const server = `const text = require('greeting')
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
  'server.js': server,
  ...more,
})

/** Repositories without a Dockerfile, one for each package manager of Node.js, which ask the registry for `greeting`. */
export const nodeRepositories = (greeting: Greeting): Record<string, Files> => {
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
    // The tool is there for its name only: what it would do is written out.
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

export const pythonRepositories: Record<string, Files> = {
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

export const goRepositories: Record<string, Files> = {
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

export const staticRepositories: Record<string, Files> = {
  pages: { 'index.html': 'hello' },
  'pages in a folder': { 'public/index.html': 'hello', 'README.md': 'not served' },
}
