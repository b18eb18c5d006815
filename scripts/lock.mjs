// @ts-check
// If a registry lacks a package for another platform, `npm install` omits it from the lock file, and `npm ci` refuses
// that lock file. This script adds the missing packages, so that one lock file works on every platform.
import { readFileSync, writeFileSync } from 'node:fs'

const systems = [
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
  'aix',
]
const processors = [
  'arm64',
  'arm',
  'x64',
  'ia32',
  'ppc64',
  'riscv64',
  's390x',
  'loong64',
  'mips64el',
  'wasm32',
]

const file = 'package-lock.json'
const lock = JSON.parse(readFileSync(file, 'utf8'))
let added = 0
for (const [path, owner] of Object.entries(lock.packages)) {
  for (const [name, wanted] of Object.entries(owner.optionalDependencies ?? {})) {
    const places = [`${path}/node_modules/${name}`, `node_modules/${name}`]
    if (places.some((place) => lock.packages[place])) continue
    const words = name.split(/[/-]/)
    const version = String(wanted).replace(/^[^\d]*/, '')
    lock.packages[`node_modules/${name}`] = {
      version,
      cpu: processors.filter((cpu) => words.includes(cpu)),
      ...(owner.dev ? { dev: true } : {}),
      optional: true,
      os: systems.filter((os) => words.includes(os)),
    }
    added++
  }
}
lock.packages = Object.fromEntries(
  Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
)
if (process.argv.includes('--check')) {
  if (added > 0)
    console.error(`package-lock.json lacks ${added} packages of other platforms. Run: npm run lock`)
  process.exitCode = added > 0 ? 1 : 0
} else {
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
  console.log(`Added ${added} packages of other platforms to ${file}.`)
}
