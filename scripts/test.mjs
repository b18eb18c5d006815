// @ts-check
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { prepareSystem } from './system.mjs'

/** Everything that has to hold, in one run; ends in a line that counts. */
const long = process.argv.includes('--long')
const only = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const results = { passed: 0, failed: 0 }
/** Files that may fail and be run again; where more do, it is no accident. */
const most = 3
const bin = (/** @type {string} */ name) => join('node_modules/.bin', name)

prepareSystem()
await step('build', process.execPath, ['scripts/start.mjs', '--build-only'])
await step('one file', process.execPath, ['scripts/one-file.mjs'])
// Beside the tests, which wait at times for what is no work of this machine, and behind them in turn.
const checks =
  only.length > 0
    ? []
    : [
        behind('types', bin('tsc'), ['-b']),
        behind('lint', bin('oxlint'), ['--type-aware', '--deny-warnings']),
        behind('format', bin('prettier'), ['--check', '--log-level', 'warn', '.']),
        behind('nothing unused', bin('knip'), ['--no-progress']),
        behind('lock file', process.execPath, ['scripts/lock.mjs', '--check']),
        behind('documents', process.execPath, ['scripts/docs.mjs', '--check']),
      ]
await vitest()
await Promise.all(checks)

console.log(`\n${results.passed} passed, ${results.failed} failed`)
process.exitCode = results.failed === 0 ? 0 : 1

/**
 * @param {string} name
 * @param {string} command
 * @param {string[]} words
 */
async function step(name, command, words) {
  const began = Date.now()
  const { code, output } = await run(command, words, 'pipe')
  const seconds = ((Date.now() - began) / 1000).toFixed(1)
  console.log(`${code === 0 ? '✓' : '✗'} ${name} (${seconds} s)`)
  if (code !== 0) console.log(output)
  results[code === 0 ? 'passed' : 'failed']++
}

/**
 * @param {string} name
 * @param {string} command
 * @param {string[]} words
 */
function behind(name, command, words) {
  return step(name, 'nice', ['-n', '19', command, ...words])
}

/** Where others use the machine too a server can stall as a file begins, which no retry of a test mends: those once more. */
async function vitest() {
  const first = await runTests(only)
  const again = process.env['CI'] && first.broken.length <= most ? first.broken : []
  if (again.length > 0) console.log(`\nFailed, and run once more:\n${again.join('\n')}\n`)
  const second = again.length > 0 ? await runTests(again) : undefined
  results.passed += first.passed + (second?.passed ?? 0)
  results.failed += second ? first.skipped + second.failed : first.failed
}

/**
 * Resolves with what passed and what was skipped in files that did not fail, with all that failed, and the files that did.
 *
 * @param {string[]} files
 */
async function runTests(files) {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-results-'))
  const file = join(folder, 'results.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  try {
    const { code } = await run(bin('vitest'), ['run', ...reporters, ...files], 'inherit', {
      LONG: long ? '1' : '',
      SERVER_PROGRAM: join(process.cwd(), 'dist/one/main.js'),
    })
    return count(JSON.parse(readFileSync(file, 'utf8')), code)
  } catch (error) {
    console.error(`The tests did not run to their end: ${String(error)}`)
    return { passed: 0, skipped: 0, failed: 1, broken: [] }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * @typedef {{ name: string, status: string, assertionResults: { status: string }[] }} Tested
 * @param {{ testResults: Tested[], numFailedTests: number, numPendingTests: number, numTodoTests: number }} counted
 * @param {number | null} code
 */
function count({ testResults, numFailedTests, numPendingTests, numTodoTests }, code) {
  const broken = testResults.filter(({ status }) => status !== 'passed')
  const others = testResults
    .filter((one) => !broken.includes(one))
    .flatMap(({ assertionResults }) => assertionResults)
  const passed = others.filter(({ status }) => status === 'passed').length
  // A file that does not even load, or an error outside any test, counts as well.
  const unnamed = code !== 0 && numFailedTests === 0 ? 1 : 0
  return {
    passed,
    skipped: others.length - passed,
    failed: numFailedTests + numPendingTests + numTodoTests + unnamed,
    broken: broken.map(({ name }) => relative(process.cwd(), name)),
  }
}

/**
 * @param {string} command
 * @param {string[]} words
 * @param {'pipe' | 'inherit'} output
 * @param {Record<string, string>} [more]
 * @returns {Promise<{ code: number | null, output: string }>}
 */
function run(command, words, output, more = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, {
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
