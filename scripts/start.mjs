// @ts-check
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** `npm start` builds missing or stale parts, then runs Slipway in this process. `--build-only` only builds. */
const root = fileURLToPath(new URL('..', import.meta.url))
const main = join(root, 'dist/server/main.js')

const parts = [
  {
    name: 'server',
    sources: ['contract', 'server', 'tsconfig.base.json', 'package-lock.json'],
    tool: 'node_modules/typescript/bin/tsc',
    args: ['-b', 'contract', 'server'],
    result: main,
  },
  {
    name: 'console',
    sources: ['contract', 'console', 'vite.config.ts', 'tsconfig.base.json', 'package-lock.json'],
    tool: 'node_modules/vite/bin/vite.js',
    args: ['build', '--logLevel', 'warn'],
    result: join(root, 'dist/console/index.html'),
  },
]

checkNode()
checkPackages()
await build()
if (!process.argv.includes('--build-only')) await import(pathToFileURL(main).href)

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  give(`Slipway requires Node.js 20.19 or newer. The installed version is ${process.versions.node}.`)
}

function checkPackages() {
  if (!existsSync(join(root, 'node_modules'))) give('The npm packages are not installed. Run: npm ci')
}

async function build() {
  const stale = parts.filter(
    (part) => !existsSync(part.result) || stampOf(part) !== fingerprint(part.sources),
  )
  if (stale.length === 0) return
  const missing = stale.find((part) => !existsSync(join(root, part.tool)))
  if (missing) {
    // A container image contains the built parts but not the build tools.
    if (parts.every((part) => existsSync(part.result))) return
    give(
      `The ${missing.name} must be built, but the build tools are not installed. Run: npm ci --include=dev`,
    )
  }
  console.log(`Building the ${stale.map((part) => part.name).join(' and the ')} …`)
  const built = await Promise.all(stale.map(buildPart))
  if (built.includes(false)) give('The build failed.')
}

/**
 * @param {(typeof parts)[number]} part
 * @returns {Promise<boolean>}
 */
async function buildPart(part) {
  // The fingerprint is taken before the build, so that a change during the build causes another build.
  const stamp = fingerprint(part.sources)
  const child = spawn(process.execPath, [join(root, part.tool), ...part.args], { cwd: root })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const status = await new Promise((resolve) => child.on('close', resolve))
  if (status !== 0) {
    console.error(`\n${output}`)
    return false
  }
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(stampFile(part), stamp)
  return true
}

/** @param {{ name: string }} part */
function stampFile(part) {
  return join(root, `dist/${part.name}.stamp`)
}

/** @param {{ name: string }} part */
function stampOf(part) {
  return existsSync(stampFile(part)) ? readFileSync(stampFile(part), 'utf8') : ''
}

/**
 * Returns a hash of the names, sizes and times of the sources of a part. A deleted file changes it as well.
 * @param {string[]} sources
 */
function fingerprint(sources) {
  const hash = createHash('sha256')
  for (const file of sources.flatMap(filesOf).sort()) {
    const { size, mtimeMs } = statSync(join(root, file))
    hash.update(`${file} ${size} ${mtimeMs}\n`)
  }
  return hash.digest('hex')
}

/**
 * @param {string} source
 * @returns {string[]}
 */
function filesOf(source) {
  if (!existsSync(join(root, source))) return []
  if (!statSync(join(root, source)).isDirectory()) return [source]
  return readdirSync(join(root, source), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
}

/**
 * @param {string} words
 * @returns {never}
 */
function give(words) {
  console.error(words)
  process.exit(1)
}
