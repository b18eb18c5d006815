import {
  type DetectedBuild,
  joinLines,
  readProcfile,
  cmdInstruction,
  type FileTree,
  parseVersion,
} from './file-tree.ts'

const defaultVersion = '3.13'
const port = 8000

export async function detectPython(tree: FileTree): Promise<DetectedBuild | undefined> {
  const project = (await tree.read('pyproject.toml')) ?? ''
  const listed = (await tree.read('requirements.txt')) ?? ''
  const install = findInstall(tree, project, listed)
  const program = programs.find((file) => tree.paths.includes(file))
  if (!install && program === undefined) return undefined
  const needs = `${listed}\n${project}\n${(await tree.read('Pipfile')) ?? ''}`
  const start = (await readProcfile(tree)) ?? (await findStart(tree, needs, program))
  if (start === undefined) return undefined
  const version = (await findVersion(tree, project)) ?? defaultVersion
  return {
    language: 'python',
    summary: `Python application (${install?.by ?? program}), started with “${start}”, listening on port ${port}.`,
    dockerfile: joinLines(
      `FROM python:${version}-slim`,
      'WORKDIR /app',
      `ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PIP_NO_CACHE_DIR=1 PORT=${port}`,
      install?.path && `ENV PATH=${install.path}:$PATH`,
      install?.tool && `RUN pip install ${install.tool}`,
      install && `COPY ${install.first.join(' ')} ./`,
      install && `RUN ${install.run}`,
      'COPY . .',
      `EXPOSE ${port}`,
      cmdInstruction(start),
    ),
    port,
  }
}

const programs = ['main.py', 'app.py', 'server.py', 'manage.py', 'wsgi.py', 'run.py']

interface Install {
  by: string
  /** Files copied before the rest, so that the layer is cached. */
  first: string[]
  tool?: string
  run: string
  path?: string
}

function findInstall({ paths }: FileTree, project: string, listed: string): Install | undefined {
  const has = (file: string) => paths.includes(file)
  if (has('uv.lock'))
    return {
      by: 'uv.lock',
      first: ['pyproject.toml', 'uv.lock'],
      tool: 'uv',
      run: 'uv sync --frozen --no-dev --no-install-project',
      path: '/app/.venv/bin',
    }
  if (has('poetry.lock'))
    return {
      by: 'poetry.lock',
      first: ['pyproject.toml', 'poetry.lock'],
      tool: 'poetry',
      run: 'poetry config virtualenvs.create false && poetry install --only main --no-root --no-interaction',
    }
  if (has('Pipfile.lock'))
    return {
      by: 'Pipfile.lock',
      first: ['Pipfile', 'Pipfile.lock'],
      tool: 'pipenv',
      run: 'pipenv install --system --deploy',
    }
  if (has('requirements.txt'))
    return {
      by: 'requirements.txt',
      // Requirements may reference other files of the repository.
      first: /^\s*(?:-|\.|file:)|@\s*(?:\.|file:)|\.whl\b/m.test(listed) ? ['.'] : ['requirements.txt'],
      run: 'pip install -r requirements.txt',
    }
  if (/^\[(?:project|build-system|tool\.poetry)\]/m.test(project))
    return { by: 'pyproject.toml', first: ['.'], run: 'pip install .' }
  return undefined
}

async function findStart({ paths, read }: FileTree, needs: string, program: string | undefined) {
  const has = (name: string) => new RegExp(`(?:^|["'\\s])${name}(?![\\w-])`, 'im').test(needs)
  if (paths.includes('manage.py')) {
    const folder = paths.flatMap((path) => /^([\w]+)\/wsgi\.py$/.exec(path)?.[1] ?? [])[0]
    return has('gunicorn') && folder !== undefined
      ? `gunicorn --bind 0.0.0.0:${port} ${folder}.wsgi`
      : `python manage.py runserver 0.0.0.0:${port}`
  }
  if (program === undefined) return undefined
  const module = program.replace(/\.py$/, '')
  const text = (await read(program)) ?? ''
  const name = /^(\w+)[ \t]*(?::[^=\n]+)?=[ \t]*(?:fastapi\.)?(?:FastAPI|Starlette)\(/m.exec(text)?.[1]
  if (name !== undefined) return `uvicorn --host 0.0.0.0 --port ${port} ${module}:${name}`
  const flask = /^(\w+)[ \t]*=[ \t]*(?:flask\.)?Flask\(/m.exec(text)?.[1]
  if (flask !== undefined)
    return has('gunicorn')
      ? `gunicorn --bind 0.0.0.0:${port} ${module}:${flask}`
      : `flask --app ${module}:${flask} run --host 0.0.0.0 --port ${port}`
  return `python ${program}`
}

async function findVersion({ read }: FileTree, project: string): Promise<string | undefined> {
  const file = (await read('.python-version')) ?? (await read('runtime.txt'))
  const named = parseVersion(file, 2)
  if (named !== undefined) return named
  const range = /^\s*(?:requires-python|python)\s*=\s*["']([^"']+)["']/m.exec(project)?.[1] ?? ''
  return /^(?:==|~|\d)/.test(range) ? parseVersion(range, 2) : undefined
}
