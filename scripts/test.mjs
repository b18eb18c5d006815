// @ts-check
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareSystem } from './system.mjs'

/** Everything that has to hold, in one run; ends in a line that counts. */
const long = process.argv.includes('--long')
const only = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const results = { passed: 0, failed: 0 }
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

async function vitest() {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-results-'))
  const file = join(folder, 'results.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  try {
    const { code } = await run(bin('vitest'), ['run', ...reporters, ...only], 'inherit', {
      LONG: long ? '1' : '',
      SERVER_PROGRAM: join(process.cwd(), 'dist/one/main.js'),
    })
    const counted = JSON.parse(readFileSync(file, 'utf8'))
    results.passed += counted.numPassedTests
    results.failed += counted.numFailedTests + counted.numPendingTests + counted.numTodoTests
    // A file that does not even load, or an error outside any test, counts as well.
    if (code !== 0 && counted.numFailedTests === 0) results.failed += 1
  } catch (error) {
    console.error(`The tests did not run to their end: ${String(error)}`)
    results.failed += 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
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
