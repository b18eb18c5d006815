import { expect, test } from 'vitest'
import { detectBuild } from './detect-build.ts'

const treeOf = (files: Record<string, string>) => ({
  paths: Object.keys(files),
  read: (path: string) => Promise.resolve(files[path]),
})
const look = (files: Record<string, string>, folder = '') => detectBuild(treeOf(files), folder)
const json = (value: object) => JSON.stringify(value)

test('prefers a Dockerfile and lists all of them, the nearest first', async () => {
  const found = await look({
    'deploy/prod.Dockerfile': '',
    'deploy/Dockerfile.dockerignore': '',
    Dockerfile: 'FROM x',
    'package.json': '{}',
  })
  expect(found).toMatchObject({
    dockerfiles: ['Dockerfile', 'deploy/prod.Dockerfile'],
    summary: 'Built with the Dockerfile of the repository.',
  })
})

test('requires the path of a nested Dockerfile and guesses nothing when unknown', async () => {
  expect((await look({ 'docker/Dockerfile': 'FROM x' })).summary).toBe(
    'Found a Dockerfile at docker/Dockerfile. To use it, set the Dockerfile path.',
  )
  const none = await look({ 'README.md': '#' })
  expect(none).toMatchObject({ language: null, generated: null, port: null })
  expect(none.summary).toMatch(/^No Dockerfile, package.json/)
  expect((await look({})).summary).toBe('The repository is empty.')
  expect((await look({ a: '' }, 'api')).summary).toBe('The folder api was not found in the repository.')
})

test.each([
  ['npm', { 'package-lock.json': '{}' }, {}, 'RUN npm ci', 'RUN npm prune --omit=dev'],
  ['npm', {}, {}, 'RUN npm install', 'COPY package.json ./'],
  [
    'pnpm',
    { 'pnpm-lock.yaml': "lockfileVersion: '9.0'" },
    {},
    'npm install --global pnpm@9',
    'RUN pnpm install --frozen-lockfile',
  ],
  [
    'pnpm',
    { 'pnpm-lock.yaml': "lockfileVersion: '6.0'" },
    {},
    'npm install --global pnpm@8',
    'COPY package.json pnpm-lock.yaml ./',
  ],
  [
    'pnpm',
    { 'pnpm-lock.yaml': '' },
    { packageManager: 'pnpm@10.4.1+sha512.abc' },
    'npm install --global pnpm@10.4.1',
    'pnpm prune --prod',
  ],
  [
    'yarn',
    { 'yarn.lock': '# yarn lockfile v1' },
    {},
    'RUN yarn install --frozen-lockfile',
    'yarn install --production',
  ],
  [
    'yarn',
    { 'yarn.lock': '__metadata:\n  version: 8' },
    {},
    'RUN npm install --global --force @yarnpkg/cli-dist@4\n',
    'RUN yarn install --no-immutable',
  ],
  [
    'yarn',
    { 'yarn.lock': '' },
    { packageManager: 'yarn@4.1.0' },
    'RUN npm install --global --force @yarnpkg/cli-dist@4.1.0\n',
    'RUN yarn install --immutable',
  ],
  ['bun', { 'bun.lock': '{}' }, {}, 'FROM oven/bun:1-slim', 'RUN bun install --frozen-lockfile'],
  [
    'bun',
    { 'bun.lockb': '' },
    { packageManager: 'bun@1.2.3' },
    'FROM oven/bun:1.2.3-slim',
    'CMD ["bun","run","start"]',
  ],
])('detects %s from the lockfile beside package.json', async (manager, files, fields, ...expected) => {
  const about = { scripts: { start: 'tsx serve.ts' }, ...fields }
  const found = await look({ 'package.json': json(about), ...files })
  expect(found).toMatchObject({ language: 'node', port: 3000 })
  expect(found.summary).toContain(`with ${manager} (package.json`)
  for (const line of expected) expect(found.generated).toContain(line)
})

test.each([
  [{ '.nvmrc': 'v20.11.0\n' }, {}, '20'],
  [{ '.node-version': '18' }, {}, '18'],
  [{}, { engines: { node: '^18.2.0' } }, '18'],
  [{}, { engines: { node: '>=18' } }, '22'],
  [{}, { engines: { node: '>=24' } }, '24'],
  [{}, { engines: 'nonsense' }, '22'],
])('selects the requested Node.js version: %o %o', async (files, fields, version) => {
  const found = await look({
    'package.json': json({ main: 'server.js', ...fields }),
    'server.js': '',
    ...files,
  })
  expect(found.generated).toContain(`FROM node:${version}-slim`)
})

test('starts a plain program without a package manager, after its build', async () => {
  const found = await look({
    'package.json': json({ scripts: { build: 'tsc', start: 'node dist/server.js' } }),
    'package-lock.json': '{}',
  })
  expect(found.summary).toBe(
    'Node.js application with npm (package.json and package-lock.json), built with “npm run build”, started with “node dist/server.js”, listening on port 3000.',
  )
  expect(found.generated).toMatchInlineSnapshot(`
    "FROM node:22-slim AS build
    WORKDIR /app
    COPY package.json package-lock.json ./
    RUN npm ci
    COPY . .
    RUN npm run build
    RUN npm prune --omit=dev

    FROM node:22-slim
    WORKDIR /app
    ENV NODE_ENV=production PORT=3000
    COPY --from=build --chown=node:node /app /app
    USER node
    EXPOSE 3000
    CMD ["node","dist/server.js"]
    "
  `)
})

test('copies all files before the install scripts run', async () => {
  const found = await look({
    'package.json': json({ scripts: { postinstall: 'prisma generate', start: 'node a.js' } }),
  })
  expect(found.generated).toMatch(/WORKDIR \/app\nCOPY \. \.\nRUN npm install\nRUN npm prune/)
})

test('serves the files of a built site without a program', async () => {
  const found = await look({
    'package.json': json({ scripts: { build: 'vite build' }, devDependencies: { vite: '8' } }),
    'index.html': '',
  })
  expect(found).toMatchObject({ language: 'node', port: 80 })
  expect(found.generated).toContain('COPY --from=build /app/dist /usr/share/nginx/html')
})

test.each([
  ['package.json', '{'],
  ['package.json', '[]'],
  ['package.json', json({ scripts: 5, engines: [] })],
])('ignores an invalid %s: %s', async (file, text) => {
  expect(await look({ [file]: text, 'index.html': '' })).toMatchObject({ language: 'static' })
})

test('serves a static site from the folder of its page', async () => {
  expect((await look({ 'index.html': '' })).generated).toContain('COPY . /usr/share/nginx/html')
  expect((await look({ 'public/index.html': '' })).generated).toContain('COPY public /usr/share/nginx/html')
})

test('builds Go from its main package with the requested version', async () => {
  const top = await look({ 'go.mod': 'module x\n\ngo 1.22.1\n', 'go.sum': '', 'serve.go': 'package main' })
  expect(top).toMatchObject({ language: 'go', port: 8080 })
  expect(top.generated).toContain('FROM golang:1.22 AS build')
  expect(top.generated).toContain('COPY go.mod go.sum ./')
  expect(top.generated).toContain('go build -trimpath -o /out/app .\n')
  const below = {
    'go.mod': 'module x',
    'lib.go': 'package x',
    'cmd/tool/main.go': '',
    'cmd/server/main.go': '',
  }
  expect((await look(below)).generated).toContain('-o /out/app ./cmd/server\n')
  expect(await look({ 'go.mod': 'module x', 'lib.go': 'package x' })).toMatchObject({ language: null })
})

test.each<[string, Record<string, string>, string[]]>([
  [
    'requirements.txt',
    { 'requirements.txt': 'flask\ngunicorn==22', 'app.py': 'app = Flask(__name__)' },
    ['RUN pip install -r requirements.txt', '["gunicorn","--bind","0.0.0.0:8000","app:app"]'],
  ],
  [
    'requirements.txt',
    { 'requirements.txt': 'flask', 'app.py': 'web = Flask(__name__)' },
    ['["flask","--app","app:web","run","--host","0.0.0.0","--port","8000"]'],
  ],
  [
    'requirements.txt',
    { 'requirements.txt': 'fastapi[standard]', 'main.py': 'api = FastAPI(title="x")' },
    ['["uvicorn","--host","0.0.0.0","--port","8000","main:api"]'],
  ],
  [
    'requirements.txt',
    { 'requirements.txt': 'django\ngunicorn', 'manage.py': '', 'shop/wsgi.py': '' },
    ['["gunicorn","--bind","0.0.0.0:8000","shop.wsgi"]'],
  ],
  [
    'poetry.lock',
    { 'poetry.lock': '', 'pyproject.toml': '[tool.poetry.dependencies]\npython = "~3.11"', 'main.py': '' },
    ['RUN pip install poetry', 'poetry install --only main', '["python","main.py"]'],
  ],
  [
    'uv.lock',
    {
      'uv.lock': '',
      'pyproject.toml': '[project]\nrequires-python = ">=3.9"',
      'main.py': '',
      '.python-version': '3.12\n',
    },
    ['FROM python:3.12-slim', 'uv sync --frozen', 'ENV PATH=/app/.venv/bin:$PATH'],
  ],
  ['Pipfile.lock', { Pipfile: '', 'Pipfile.lock': '', 'main.py': '' }, ['pipenv install --system --deploy']],
  [
    'pyproject.toml',
    { 'pyproject.toml': '[project]\nrequires-python = "==3.10.*"', 'main.py': '' },
    ['FROM python:3.10-slim', 'COPY . ./', 'RUN pip install .'],
  ],
  [
    'main.py',
    { 'main.py': 'print(1)', Procfile: 'worker: x\nweb: python main.py --port $PORT' },
    ['FROM python:3.13-slim', 'CMD ["sh","-c","exec python main.py --port $PORT"]'],
  ],
])('detects Python from %s: %o', async (by, files, expected) => {
  const found = await look(files)
  expect(found).toMatchObject({ language: 'python', port: 8000 })
  expect(found.summary).toContain(`Python application (${by}), started with`)
  for (const line of expected) expect(found.generated).toContain(line)
})

test('inspects only the build folder and files that apply to the whole repository', async () => {
  const files = {
    '.gitmodules': '',
    '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text',
    'package.json': json({ scripts: { start: 'node x.js' } }),
    'site/index.html': '',
  }
  expect(await look(files, 'site')).toMatchObject({ language: 'static', submodules: true, lfs: true })
})

test.each([
  [
    { 'package.json': json({ main: 'a.js', dependencies: { own: 'file:./own' } }), 'a.js': '' },
    'npm install',
  ],
  [
    { 'package.json': json({ main: 'a.js' }), 'a.js': '', 'pnpm-lock.yaml': '', 'pnpm-workspace.yaml': '' },
    'pnpm install',
  ],
  [{ 'requirements.txt': '-r base.txt', 'base.txt': '', 'main.py': '' }, 'pip install'],
  [{ 'go.mod': 'module a\nreplace b => ./b\n', 'main.go': 'package main' }, 'CGO_ENABLED=0 go build'],
])('copies local packages before the install: %o', async (files, run) => {
  const { generated } = await look(files)
  expect(generated?.split(`RUN ${run}`)[0]).toMatch(/^COPY \. \.{1,2}\/?$/m)
  expect(generated).not.toContain('go mod download')
})
