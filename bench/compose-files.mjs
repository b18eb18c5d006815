// @ts-check
// Measures how many compose files of a folder Slipway accepts of those that Docker Compose accepts.
//
//   npm run types && node bench/compose-files.mjs FOLDER       or COMPOSE_FILES=FOLDER
//
// A file `name.env` beside `name.yaml` sets its variables. DOCKER_COMPOSE names the program, which needs no daemon.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { readVariables } from '../dist/contract/shared/dotenv.js'
import { disallowedCharacter, maxComposeLength } from '../dist/contract/shared/compose-limits.js'
import { validateComposeFile } from '../dist/server/areas/compose/check/validate-compose-file.js'
import { UnsupportedCompose } from '../dist/server/areas/compose/model.js'
import { findForbiddenMounts } from '../dist/server/areas/compose/privileges/host-paths.js'
import { readModel } from '../dist/server/areas/compose/read/read-model.js'
import { formatDotenv } from '../dist/server/remote/compose.js'
import { newestApiVersion as apiVersion } from '../dist/server/remote/docker/api-version.js'

const folder = process.argv[2] ?? process.env['COMPOSE_FILES']
if (!folder) throw new Error('Name the folder: node bench/compose-files.mjs FOLDER')
const [program = 'docker', ...words] = (process.env['DOCKER_COMPOSE'] ?? 'docker compose').split(' ')
const run = promisify(execFile)
const applicationFolder = '/var/lib/slipway/applications/shop-000000'

/** @param {string} text @param {{ key: string; value: string }[]} env */
async function askCompose(text, env) {
  const root = await mkdtemp(join(tmpdir(), 'compose-files-'))
  // As deep as on a server, where `..` leads to Slipway's folder.
  const at = join(root, applicationFolder)
  try {
    await mkdir(at, { recursive: true })
    await writeFile(join(at, 'compose.yaml'), text)
    await writeFile(join(at, '.env'), formatDotenv(env))
    const given = ['--project-name', 'shop', '--project-directory', at, '--file', join(at, 'compose.yaml')]
    const { stdout } = await run(program, [...words, ...given, 'config', '--format', 'json'], {
      env: { PATH: process.env['PATH'] ?? '' },
      timeout: 20_000,
      maxBuffer: 50_000_000,
    })
    return { config: JSON.parse(stdout.replaceAll(root, '')) }
  } catch (error) {
    return {
      refusal:
        String(Object(error).stderr || error)
          .trim()
          .split('\n')
          .at(-1) ?? '',
    }
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

/** @param {string} text @param {{ key: string; value: string }[]} env @param {unknown} config */
function refusalsOf(text, env, config) {
  const { problems } = validateComposeFile(text, { env, profiles: [], apiVersion })
  const errors = problems.filter(({ severity }) => severity === 'error').map(({ message }) => message)
  if (errors.length > 0 || config === undefined) return errors
  try {
    const values = Object.fromEntries(env.map(({ key, value }) => [key, value]))
    const { model } = readModel(config, values, apiVersion)
    return findForbiddenMounts(model, applicationFolder)
  } catch (error) {
    if (error instanceof UnsupportedCompose) return error.sentences
    throw error
  }
}

const found = (await readdir(folder, { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
  .toSorted()

/** @type {Map<string, string[]>} */
const reasons = new Map()
/** @type {string[]} */
const crashes = []
/** @type {string[]} */
const unnoticed = []
let [accepted, agreed] = [0, 0]

/** @param {string} path */
async function measure(path) {
  const text = await readFile(path, 'utf8')
  const env = readVariables(await readFile(path.replace(/\.ya?ml$/, '.env'), 'utf8').catch(() => ''))
  const name = relative(folder ?? '', path)
  const { config, refusal } = await askCompose(text, env)
  try {
    const isTooLarge = text.length > maxComposeLength || disallowedCharacter.test(text)
    const [why] = isTooLarge ? ['It is too long, or has control characters.'] : refusalsOf(text, env, config)
    if (config === undefined) {
      if (why === undefined) unnoticed.push(`${name}: ${refusal}`)
      return
    }
    accepted++
    if (why === undefined) agreed++
    else {
      // Names differ from file to file.
      const kind = why.replaceAll(/“[^”]*”|\/\S+|\b\d+\b/g, '…')
      reasons.set(kind, [...(reasons.get(kind) ?? []), `${name}: ${why}`])
    }
  } catch (error) {
    crashes.push(`${name}: ${error instanceof Error ? error.stack : String(error)}`)
  }
}

const waiting = [...found]
await Promise.all(
  cpus().map(async () => {
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) await measure(path)
  }),
)

for (const [kind, files] of [...reasons].toSorted(([, a], [, b]) => b.length - a.length)) {
  console.log(`${files.length} × ${kind}`)
  for (const file of files.slice(0, 5)) console.log(`    ${file}`)
}
for (const line of unnoticed) console.log(`Only Compose refuses ${line}`)
for (const line of crashes) console.log(`Crash: ${line}`)
const share = accepted === 0 ? 100 : (agreed / accepted) * 100
console.log(
  `${found.length} files; Compose accepts ${accepted}, Slipway ${agreed} of these (${share.toFixed(1)} %); ` +
    `${unnoticed.length} that only Compose refuses; ${crashes.length} crashes`,
)
process.exitCode = crashes.length > 0 || share < 99 ? 1 : 0
