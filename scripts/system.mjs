// @ts-check
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

/** What the tests need of the system, and why. Nothing else is ever installed. */
const needs = [
  {
    what: 'Chromium',
    packages: ['chromium'],
    why: 'the browser tests drive a real browser',
    there: () => existsSync(process.env['CHROMIUM'] ?? '/usr/bin/chromium'),
  },
  {
    what: "The system's PostgreSQL",
    packages: ['postgresql'],
    why: 'the tests run on the oldest supported version too',
    there: () => existsSync('/usr/lib/postgresql'),
  },
]

const aptBased = () => {
  if (!existsSync('/etc/os-release')) return false
  return /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(readFileSync('/etc/os-release', 'utf8'))
}

/** Installs what is missing when it may; otherwise says which command to run, and stops. */
export function prepareSystem() {
  const missing = needs.filter((need) => !need.there())
  const root = process.getuid?.() === 0
  if (missing.length > 0) {
    const packages = missing.flatMap((need) => need.packages)
    for (const need of missing) console.log(`${need.what} is missing: ${need.why}.`)
    const command = `apt-get update && apt-get install -y --no-install-recommends ${packages.join(' ')}`
    if (!aptBased())
      stop(`Install ${packages.join(', ')} (or set CHROMIUM to the browser's path), then run this again.`)
    if (!root) stop(`Run this first:\n\n  sudo sh -c '${command}'\n`)
    console.log(`Installing ${packages.join(', ')} from the system's packages.`)
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const done = spawnSync('sh', ['-c', command], { env, encoding: 'utf8' })
    if (done.status !== 0 || missing.some((need) => !need.there()))
      stop(`That did not work:\n${done.stdout}${done.stderr}`)
  }
  if (!root)
    stop(
      'Some tests mount small disks and start Slipway as other users, which needs root. Run:\n\n  sudo env "PATH=$PATH" npm test\n',
    )
}

/**
 * @param {string} why
 * @returns {never}
 */
function stop(why) {
  console.error(why)
  process.exit(1)
}
