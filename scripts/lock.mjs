// @ts-check
// A registry that lacks a package for some other platform makes `npm install` leave it out of the lock file, and
// `npm ci` refuse that lock file. This names what is missing, so that one lock file serves every platform.
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
