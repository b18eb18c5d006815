// @ts-check
import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { prepareSystem } from './system.mjs'

/*
 * npm test                     all layers, types, lint, format, unused code, lock file, documents
 * npm test -- <path> [-t name] the tests of these files; only their layers are prepared
 * npm run test:unit            one layer (--unit, --console, --system, --browser)
 * npm run test:long            everything, including long tests and repetitions (--long)
 */
const layers = ['unit', 'console', 'system', 'browser']
/** Layers that need only Node. */
const plain = ['unit', 'console']
const words = process.argv.slice(2)
const chosen = layers.filter((name) => words.includes(`--${name}`))
const long = words.some((word) => word === '--long' || word.includes('.long.test'))
/** Paths and options for vitest. */
const given = words.filter((word) => word !== '--long' && !layers.some((name) => word === `--${name}`))
const bin = (/** @type {string} */ name) => join('node_modules/.bin', name)
const projects = chosen.flatMap((name) => ['--project', name])
const results = { passed: 0, failed: 0 }

const needed = given.length > 0 ? layersOf(given) : chosen.length > 0 ? chosen : layers
if (needed.some((name) => !plain.includes(name))) {
  prepareSystem(needed, long)
  await step('build', process.execPath, ['scripts/start.mjs', '--build-only'])
  await step('one file', process.execPath, ['scripts/one-file.mjs'])
}
// The checks run beside the tests at a lower priority, because the tests do not use the CPU all the time.
const checks =
  given.length > 0 || chosen.length > 0
    ? []
    : [
        // With several threads, tsc checks the same types more than once, which takes twice the CPU time.
        behind('types', bin('tsc'), ['-b', '--singleThreaded']),
        behind('lint', bin('oxlint'), ['--type-aware', '--deny-warnings']),
        behind('format', bin('oxfmt'), ['--check']),
        behind('unused code', bin('knip'), ['--no-progress']),
        behind('lock file', process.execPath, ['scripts/lock.mjs', '--check']),
        behind('documents', process.execPath, ['scripts/docs.mjs', '--check']),
      ]
const { code } = await run(bin('vitest'), ['run', ...projects, ...given], 'inherit', {
  LONG: long ? '1' : '',
  ALL_LAYERS: given.length === 0 && chosen.length === 0 ? '1' : '',
  SERVER_PROGRAM: join(process.cwd(), 'scripts/start-one-file.mjs'),
})
await Promise.all(checks)
if (checks.length > 0) console.log(`\nChecks: ${results.passed} passed, ${results.failed} failed`)
process.exitCode = code === 0 && results.failed === 0 ? 0 : 1

/**
 * Returns the layers of the chosen files.
 * @param {string[]} filters
 * @returns {string[]}
 */
function layersOf(filters) {
  const paths = filters.filter((word, index) => !word.startsWith('-') && filters[index - 1] !== '-t')
  const listed = spawnSync(bin('vitest'), ['list', '--filesOnly', ...projects, ...paths], {
    encoding: 'utf8',
    env: { ...process.env, LONG: long ? '1' : '' },
  })
  const found = [...listed.stdout.matchAll(/^\[(\w+)\] \S+$/gm)]
  if (found.length === 0) {
    console.error(`No test files match ${paths.join(' ')}.`)
    process.exit(1)
  }
  return [...new Set(found.map(([, layer = '']) => layer))]
}

/**
 * @param {string} name
 * @param {string} command
 * @param {string[]} rest
 * @param {Record<string, string>} [more]
 */
async function step(name, command, rest, more) {
  const began = Date.now()
  const { code: ended, output } = await run(command, rest, 'pipe', more)
  const seconds = ((Date.now() - began) / 1000).toFixed(1)
  console.log(`${ended === 0 ? '✓' : '✗'} ${name} (${seconds} s)`)
  if (ended !== 0) console.log(output)
  results[ended === 0 ? 'passed' : 'failed']++
}

/**
 * Runs a check at a low priority. Collecting less garbage (GOGC) saves a quarter of the CPU time of tools in Go, such as tsc.
 * @param {string} name
 * @param {string} command
 * @param {string[]} rest
 */
function behind(name, command, rest) {
  return step(name, 'nice', ['-n', '19', command, ...rest], { GOGC: '400' })
}

/**
 * @param {string} command
 * @param {string[]} rest
 * @param {'pipe' | 'inherit'} output
 * @param {Record<string, string>} [more]
 * @returns {Promise<{ code: number | null, output: string }>}
 */
function run(command, rest, output, more = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, rest, {
      stdio: ['ignore', output, output],
      env: { ...process.env, ...more },
    })
    let said = ''
    child.stdout?.on('data', (chunk) => (said += chunk))
    child.stderr?.on('data', (chunk) => (said += chunk))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output: said }))
  })
}
