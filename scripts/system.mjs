// @ts-check
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * System packages that the tests of the layers above `unit` need, with the reason. No other packages are installed.
 * @type {{ what: string, packages: string[], why: string, there: () => boolean, instead?: () => boolean, browser?: true, long?: true }[]}
 */
const needs = [
  {
    what: 'Headless Chromium',
    packages: ['chromium-headless-shell'],
    why: 'browser tests run in a real browser',
    there: () => existsSync(process.env['CHROMIUM'] ?? '/usr/bin/chromium-headless-shell'),
    // The complete Chromium works too, but is slower.
    instead: () => existsSync('/usr/bin/chromium'),
    browser: true,
  },
  {
    what: 'PostgreSQL of the distribution',
    packages: ['postgresql'],
    why: 'tests also run against an external database',
    there: () => existsSync('/usr/lib/postgresql'),
  },
  {
    what: 'Docker, sshd or a tool that servers need',
    packages: [
      'docker.io',
      'openssh-server',
      'openssh-client',
      'sudo',
      'git',
      'git-lfs',
      'curl',
      'ca-certificates',
      'procps',
    ],
    why: 'tests start servers that use the programs of this machine',
    there: () => has('dockerd', 'docker', 'sshd', 'ssh-keygen', 'sudo', 'git', 'git-lfs', 'curl', 'pkill'),
  },
  {
    what: 'A tool for networks or disks',
    packages: ['iproute2', 'iptables', 'e2fsprogs', 'util-linux', 'mount'],
    why: 'each test server has its own network and disk',
    there: () => has('ip', 'iptables', 'mkfs.ext4', 'nsenter', 'losetup'),
  },
  {
    what: 'HAProxy or static BusyBox',
    packages: ['haproxy', 'busybox-static'],
    why: 'test images contain them',
    there: () => has('haproxy') && existsSync('/var/lib/dpkg/info/busybox-static.list'),
  },
  {
    what: 'The Docker registry',
    packages: ['docker-registry'],
    why: 'test servers pull images from it',
    there: () => has('docker-registry'),
  },
  {
    what: 'Pebble',
    packages: ['pebble'],
    why: 'tests use it as the certificate authority',
    there: () => has('pebble', 'pebble-challtestsrv'),
  },
  {
    what: 'ShellCheck',
    packages: ['shellcheck'],
    why: 'tests use it to check the scripts that run on servers',
    there: () => has('shellcheck'),
  },
  {
    what: 'Debootstrap',
    packages: ['debootstrap', 'debian-archive-keyring'],
    why: 'tests use it to create a minimal Debian server',
    there: () => has('debootstrap'),
    long: true,
  },
]

/** @param {string[]} programs */
function has(...programs) {
  const places = ['/usr/sbin', '/usr/bin', '/sbin', '/bin']
  return programs.every((program) => places.some((place) => existsSync(join(place, program))))
}

const aptBased = () => {
  if (!existsSync('/etc/os-release')) return false
  return /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(readFileSync('/etc/os-release', 'utf8'))
}

/**
 * Installs missing packages as root. Otherwise prints the command that installs them, and exits.
 * @param {readonly string[]} layers
 * @param {boolean} long
 */
export function prepareSystem(layers, long) {
  const missing = needs.filter(
    (need) => (!need.browser || layers.includes('browser')) && (!need.long || long) && !need.there(),
  )
  const needed = missing.filter((need) => !need.instead?.())
  const root = process.getuid?.() === 0
  if (needed.length > 0) {
    const packages = needed.flatMap((need) => need.packages)
    for (const need of needed) console.log(`${need.what} is missing: ${need.why}.`)
    if (!aptBased())
      stop(
        `Install ${packages.join(', ')}, or set CHROMIUM to the path of the browser. Then run the tests again.`,
      )
    if (!root) stop(`Run this command, then run the tests again:\n\n  sudo sh -c '${commandFor(packages)}'\n`)
    console.log(`Installing ${packages.join(', ')}…`)
    const done = install(commandFor(packages))
    if (done.status !== 0 || needed.some((need) => !need.there()))
      stop(`The packages could not be installed:\n${done.stdout}${done.stderr}`)
  }
  if (!root)
    stop(
      'These tests start servers, mount disks and run Slipway as other users, which requires root. Run:\n\n  sudo env "PATH=$PATH" npm test\n\nTo run only the tests that do not need root: npm run test:unit, npm run test:console\n',
    )
  // Optional packages are installed only if apt offers them and needs to remove no other package.
  const better = missing.filter((need) => !needed.includes(need)).flatMap((need) => need.packages)
  if (better.length > 0 && aptBased()) install(commandFor(['--no-remove', ...better]))
}

/** @param {string[]} packages */
const commandFor = (packages) =>
  `apt-get update && apt-get install -y --no-install-recommends ${packages.join(' ')}`

/** @param {string} command */
function install(command) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return withoutServices(() => spawnSync('sh', ['-c', command], { env, encoding: 'utf8' }))
}

/**
 * Debian starts the services of installed packages, which would use ports of this machine, unless this file forbids it.
 * @template T
 * @param {() => T} act
 */
function withoutServices(act) {
  const policy = '/usr/sbin/policy-rc.d'
  if (existsSync(policy)) return act()
  writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    return act()
  } finally {
    rmSync(policy)
  }
}

/**
 * @param {string} why
 * @returns {never}
 */
function stop(why) {
  console.error(why)
  process.exit(1)
}
