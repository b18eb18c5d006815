// @ts-check
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/**
 * `npm run dev`: compiles contract and server as they change and starts the API anew after each clean compile; the
 * console is served by vite, which replaces what changed in the open page.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const consolePort = '5173'
// Links in mails and invites lead to the console that reloads.
const env = { PUBLIC_URL: `http://localhost:${consolePort}`, ...process.env }

/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set()
/** @type {import('node:child_process').ChildProcess | undefined} */
let api
/** Restarts run one after the other. */
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
// Read at start and not compiled.
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
 * In a process group of its own: Ctrl-C is for us, we end the others in order.
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
 * Signals the whole group, for tsc is a program behind a program.
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
