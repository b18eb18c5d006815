import { detectPackageManager, type PackageManager } from './node-manager.ts'
import { serveFiles, webPort } from './static.ts'
import {
  cmdInstruction,
  type DetectedBuild,
  type FileTree,
  joinLines,
  parseVersion,
  readProcfile,
} from './file-tree.ts'
import { z } from 'zod'

const defaultVersion = '22'
const port = 3000

export async function detectNode(tree: FileTree): Promise<DetectedBuild | undefined> {
  const text = await tree.read('package.json')
  const about = text === undefined ? undefined : parsePackageJson(text)
  if (!about) return undefined
  const manager = await detectPackageManager(tree, about)
  const start = (await readProcfile(tree)) ?? findStart(tree, about, manager)
  const site = start === undefined ? findSite(about) : undefined
  if (start === undefined && site === undefined) return undefined
  const version = await findVersion(tree, about)
  const build = 'build' in about.scripts ? `${manager.name} run build` : undefined
  const base = { tree, about, manager, version, build }
  const by = ['package.json', manager.lock].filter(Boolean).join(' and ')
  const description = `with ${manager.name} (${by})${build ? `, built with “${build}”` : ''}`
  if (start === undefined)
    return {
      language: 'node',
      summary: `Static site ${description}, serving ${site} on port ${webPort}.`,
      dockerfile: joinLines(...buildStage(base), '', serveFiles(`--from=build /app/${site}`)),
      port: webPort,
    }
  return {
    language: 'node',
    summary: `Node.js application ${description}, started with “${start}”, listening on port ${port}.`,
    dockerfile: joinLines(...buildStage(base), '', ...runStage(base, start)),
    port,
  }
}

interface NodeBuild {
  tree: FileTree
  about: PackageJson
  manager: PackageManager
  version: string
  build: string | undefined
}

function findStart(
  { paths }: FileTree,
  { scripts, main }: PackageJson,
  { name }: PackageManager,
): string | undefined {
  const { start } = scripts
  // Start the program directly: package managers do not forward stop signals.
  if (start) return /^node [\w@./-]+$/.test(start) ? start : `${name} run start`
  const file = [main, 'server.js', 'index.js', 'app.js', 'server.mjs', 'index.mjs'].find(
    (path) => path !== undefined && paths.includes(path.replace(/^\.\//, '')),
  )
  return file && `${name === 'bun' ? 'bun' : 'node'} ${file.replace(/^\.\//, '')}`
}

const sites: [string, string][] = [
  ['react-scripts', 'build'],
  ['gatsby', 'public'],
  ['astro', 'dist'],
  ['vite', 'dist'],
  ['parcel', 'dist'],
  ['@11ty/eleventy', '_site'],
  ['vuepress', '.vuepress/dist'],
]

const findSite = (about: PackageJson) =>
  'build' in about.scripts ? sites.find(([tool]) => dependsOn(about, tool))?.[1] : undefined

async function findVersion({ read }: FileTree, { engines }: PackageJson): Promise<string> {
  const file = (await read('.nvmrc')) ?? (await read('.node-version'))
  const named = parseVersion(file, 1)
  if (named !== undefined) return named
  const range = engines.node ?? ''
  const required = parseVersion(range, 1)
  // A range such as ">=18" includes the default version.
  if (required === undefined || (/>/.test(range) && Number(required) <= Number(defaultVersion)))
    return defaultVersion
  return required
}

const packageConfigFiles = ['.npmrc', '.yarnrc', '.yarnrc.yml', '.pnpmfile.cjs', 'bunfig.toml']
const installHooks = ['preinstall', 'install', 'postinstall', 'prepare']

/** Packages are installed before the source is copied, so that the layer is cached. */
function buildStage({ tree, about, manager, version, build }: NodeBuild): (string | false | undefined)[] {
  const { paths } = tree
  const needsAll =
    about.workspaces !== undefined ||
    paths.includes('pnpm-workspace.yaml') ||
    usesOwnFiles(about) ||
    installHooks.some((hook) => hook in about.scripts) ||
    paths.some((path) => path.startsWith('.yarn/') || path.startsWith('patches/'))
  const first = [
    'package.json',
    manager.lock,
    ...packageConfigFiles.filter((file) => paths.includes(file)),
  ].filter(Boolean)
  return [
    ...(manager.prepare
      ? [
          `FROM ${manager.image(version)} AS base`,
          'WORKDIR /app',
          `RUN ${manager.prepare}`,
          '',
          'FROM base AS build',
        ]
      : [`FROM ${manager.image(version)} AS build`, 'WORKDIR /app']),
    manager.env && `ENV ${manager.env}`,
    needsAll ? 'COPY . .' : `COPY ${first.join(' ')} ./`,
    `RUN ${manager.install}`,
    !needsAll && 'COPY . .',
    build && `RUN ${build}`,
    manager.prune && `RUN ${manager.prune}`,
  ]
}

const runStage = ({ manager, version }: NodeBuild, start: string): (string | false | undefined)[] => [
  ...(manager.prepare && start.startsWith(`${manager.name} `)
    ? ['FROM base']
    : [`FROM ${manager.image(version)}`, 'WORKDIR /app']),
  `ENV NODE_ENV=production PORT=${port}`,
  `COPY --from=build --chown=${manager.user}:${manager.user} /app /app`,
  `USER ${manager.user}`,
  `EXPOSE ${port}`,
  cmdInstruction(start),
]

const names = z.record(z.string(), z.unknown()).catch({})
const optionalText = z.string().optional().catch(undefined)

const schema = z.object({
  packageManager: optionalText,
  main: optionalText,
  engines: z.object({ node: optionalText }).catch({ node: undefined }).default({ node: undefined }),
  scripts: z.record(z.string(), z.string().catch('')).catch({}).default({}),
  dependencies: names.default({}),
  devDependencies: names.default({}),
  workspaces: z.unknown().optional(),
})

export type PackageJson = z.output<typeof schema>

function parsePackageJson(text: string): PackageJson | undefined {
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

const dependsOn = ({ dependencies, devDependencies }: PackageJson, name: string) =>
  Object.hasOwn(dependencies, name) || Object.hasOwn(devDependencies, name)

const usesOwnFiles = ({ dependencies, devDependencies }: PackageJson) =>
  [...Object.values(dependencies), ...Object.values(devDependencies)].some(
    (range) => typeof range === 'string' && /^(?:file|link|portal|workspace|patch):|^\.{0,2}\//.test(range),
  )
