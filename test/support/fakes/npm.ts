import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packagesFolder } from '../rig/languages.ts'
import { startHttpService } from './http-service.ts'

const run = promisify(execFile)

/** npm's registry for servers of the rig and the real package managers: with pnpm, both kinds of Yarn, and `greeting`. */
export async function startFakeNpm(host: string) {
  const work = await mkdtemp(join(tmpdir(), 'slipway-npm-'))
  const greeting = await packGreeting(work)
  const folder = await packagesFolder()
  const files = [greeting, ...(await readdir(folder)).map((name) => join(folder, name))]
  const packages = await Promise.all(files.map(readPackage))
  await rm(work, { recursive: true })
  const { url, close } = await startHttpService((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', url).pathname).slice(1)
    const file = packages.find((one) => path === fileOf(one.name))
    const one = packages.find(({ name }) => name === path)
    if (file) response.end(file.bytes)
    else if (one) response.setHeader('content-type', 'application/json').end(JSON.stringify(about(one)))
    else response.writeHead(404).end('{}')
  }, host)
  const about = ({ name, version, manifest, dist }: Package) => ({
    name,
    'dist-tags': { latest: version },
    versions: { [version]: { ...manifest, dist: { ...dist, tarball: `${url}/${fileOf(name)}` } } },
  })
  return {
    url,
    /** The entry of `greeting` in a lock file. */
    greeting: { ...packages[0]?.dist, tarball: `${url}/${fileOf('greeting')}` },
    close,
  }
}

const fileOf = (name: string) => `${name}/-/file.tgz`

async function packGreeting(work: string): Promise<string> {
  await mkdir(join(work, 'package'))
  await writeFile(
    join(work, 'package/package.json'),
    '{"name":"greeting","version":"1.0.0","main":"index.js"}',
  )
  await writeFile(join(work, 'package/index.js'), "module.exports = 'hello'\n")
  await run('tar', ['-czf', 'greeting.tgz', 'package'], { cwd: work })
  return join(work, 'greeting.tgz')
}

type Package = Awaited<ReturnType<typeof readPackage>>

async function readPackage(file: string) {
  const bytes = await readFile(file)
  const { stdout } = await run('tar', ['-xzOf', file, 'package/package.json'])
  const manifest: { name: string; version: string } = JSON.parse(stdout)
  const hash = (kind: string, form: 'hex' | 'base64') => createHash(kind).update(bytes).digest(form)
  const dist = { shasum: hash('sha1', 'hex'), integrity: `sha512-${hash('sha512', 'base64')}` }
  return { name: manifest.name, version: manifest.version, manifest, bytes, dist }
}
