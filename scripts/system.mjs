// @ts-check
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * What the tests of the layers above `unit` need of the system, and why. Nothing else is ever installed.
 * @type {{ what: string, packages: string[], why: string, there: () => boolean, instead?: () => boolean, browser?: true }[]}
 */
const needs = [
  {
    what: 'Chromium without windows',
    packages: ['chromium-headless-shell'],
    why: 'the browser tests drive a real browser',
    there: () => existsSync(process.env['CHROMIUM'] ?? '/usr/bin/chromium-headless-shell'),
    // Does the same and takes longer.
    instead: () => existsSync('/usr/bin/chromium'),
    browser: true,
  },
  {
    what: "The system's PostgreSQL",
    packages: ['postgresql'],
    why: 'the tests run on the oldest supported version too',
    there: () => existsSync('/usr/lib/postgresql'),
  },
  {
    what: 'Docker, with sshd and what a server is set up with',
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
    why: 'the tests start servers of their own on this machine, which see its programs',
    there: () => has('dockerd', 'docker', 'sshd', 'ssh-keygen', 'sudo', 'git', 'git-lfs', 'curl', 'pkill'),
  },
  {
    what: 'What builds networks and disks',
    packages: ['iproute2', 'iptables', 'e2fsprogs', 'util-linux', 'mount'],
    why: 'each of those servers has its own',
    there: () => has('ip', 'iptables', 'mkfs.ext4', 'nsenter', 'losetup'),
  },
  {
    what: 'HAProxy and a busybox that needs no libraries',
    packages: ['haproxy', 'busybox-static'],
    why: 'the images on those servers are made of them',
    there: () => has('haproxy') && existsSync('/var/lib/dpkg/info/busybox-static.list'),
  },
  {
    what: "Debian's Docker registry",
    packages: ['docker-registry'],
    why: 'those servers pull images from it',
    there: () => has('docker-registry'),
  },
  {
    what: 'Pebble',
    packages: ['pebble'],
    why: 'it issues certificates to those servers as a real authority does',
    there: () => has('pebble', 'pebble-challtestsrv'),
  },
  {
    what: 'shellcheck',
    packages: ['shellcheck'],
    why: 'it checks the scripts that run on servers',
    there: () => has('shellcheck'),
  },
  {
    what: 'debootstrap',
    packages: ['debootstrap', 'debian-archive-keyring'],
    why: 'one of those servers is a bare Debian',
    there: () => has('debootstrap'),
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
 * Installs what is missing when it may; otherwise says which command to run, and stops.
 * @param {readonly string[]} layers
 */
export function prepareSystem(layers) {
  const missing = needs.filter((need) => (!need.browser || layers.includes('browser')) && !need.there())
  const needed = missing.filter((need) => !need.instead?.())
  const root = process.getuid?.() === 0
  if (needed.length > 0) {
    const packages = needed.flatMap((need) => need.packages)
    for (const need of needed) console.log(`${need.what} is missing: ${need.why}.`)
    if (!aptBased())
      stop(`Install ${packages.join(', ')} (or set CHROMIUM to the browser's path), then run this again.`)
    if (!root) stop(`Run this first:\n\n  sudo sh -c '${commandFor(packages)}'\n`)
    console.log(`Installing ${packages.join(', ')} from the system's packages.`)
    const done = install(commandFor(packages))
    if (done.status !== 0 || needed.some((need) => !need.there()))
      stop(`That did not work:\n${done.stdout}${done.stderr}`)
  }
  if (!root)
    stop(
      'These tests start servers, mount small disks and run Slipway as other users, which needs root. Run:\n\n  sudo env "PATH=$PATH" npm test\n\nWithout root: npm run test:unit\n',
    )
  // What can be done without is taken where it is at hand, and nothing else goes for it.
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
 * Debian starts the services of what it installs, unless this file says no: ports of this machine stay as they are.
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
