// @ts-check
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/**
 * `npm run dev` compiles contract and server when they change, and restarts the API after each compile without errors.
 * Vite serves the console and updates the open page.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const consolePort = '5173'
// Links in emails and invites must lead to the console that Vite serves.
const env = { PUBLIC_URL: `http://localhost:${consolePort}`, ...process.env }

/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set()
/** @type {import('node:child_process').ChildProcess | undefined} */
let api
/** Restarts run one after another. */
let restarts = Promise.resolve()
let ending = false

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void end())

const compiler = run('node_modules/typescript/bin/tsc', [
  '-b',
  'contract',
  'server',
  '--watch',
  '--preserveWatchOutput',
])
createInterface({ input: compiler.stdout }).on('line', (line) => {
  if (/Found 0 errors/.test(line)) restart()
  else if (line.trim() && !/Starting|File change/.test(line)) console.log(line)
})
// Migrations are not compiled; the API reads them when it starts.
watch(join(root, 'server/migrations'), restart)

const pages = run('node_modules/vite/bin/vite.js', [
  '--port',
  consolePort,
  '--strictPort',
  '--logLevel',
  'warn',
])
createInterface({ input: pages.stdout }).on('line', (line) => console.log(line))
console.log(`Console: ${env.PUBLIC_URL} (available when the API is running)`)

function restart() {
  restarts = restarts.then(startAnew)
}

async function startAnew() {
  await stop(api)
  if (ending) return
  api = run('dist/server/main.js', [])
  api.stdout?.pipe(process.stdout)
}

/**
 * Starts a process in a process group of its own: Ctrl-C is for this script, which ends the others in order.
 * @param {string} file
 * @param {string[]} args
 */
function run(file, args) {
  const child = spawn(process.execPath, [join(root, file), ...args], {
    cwd: root,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.add(child)
  child.on('close', (status) => {
    children.delete(child)
    if (ending || child === api) return
    console.error(`${file} exited with code ${status}.`)
    process.exitCode = 1
    void end()
  })
  return child
}

/**
 * Stops a process. The signal goes to the whole group, because tsc starts another program.
 * @param {import('node:child_process').ChildProcess | undefined} child
 */
async function stop(child) {
  if (!child?.pid || !children.has(child)) return
  const gone = new Promise((resolve) => child.once('close', resolve))
  process.kill(-child.pid, 'SIGTERM')
  await gone
}

async function end() {
  if (ending) return
  ending = true
  await restarts
  await Promise.all([...children].map(stop))
  process.exit()
}
