import { mkdtemp, lstat, open, readdir, readFile, rename, rm, chown } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { changeOwner, NOBODY, type OsAccount, runProgram } from './run-program.ts'
import type { Binaries } from './binaries.ts'
import { diskFullMessage, NO_SPACE, undefinedIfMissing } from './files.ts'

const UNFINISHED = '.unfinished-'

export async function ensureCluster(pgdata: string, binaries: Binaries, account: OsAccount): Promise<void> {
  const version = await undefinedIfMissing(readFile(join(pgdata, 'PG_VERSION'), 'utf8'))
  if (version === undefined) return createCluster(pgdata, binaries, account)
  if (Number(version) !== binaries.major)
    throw new Error(otherVersion(pgdata, version.trim(), binaries.major))
  if (account && (await lstat(pgdata)).uid === 0) await changeOwner(pgdata, account)
}

/** Creates the cluster in a temporary folder and renames it when it is complete and synced. */
async function createCluster(pgdata: string, binaries: Binaries, account: OsAccount): Promise<void> {
  const parent = dirname(pgdata)
  for (const name of await readdir(parent)) {
    if (name.includes(UNFINISHED))
      await rm(join(parent, name), { recursive: true, force: true, maxRetries: 5 })
  }
  const draft = await mkdtemp(pgdata + UNFINISHED)
  try {
    await fill(draft, binaries, account)
    await rename(draft, pgdata)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(NO_SPACE.test(reason) ? diskFullMessage(pgdata) : reason, { cause: error })
  }
  const folder = await open(parent)
  await folder.sync()
  await folder.close()
}

async function fill(draft: string, binaries: Binaries, account: OsAccount): Promise<void> {
  const maker = account && NOBODY
  if (maker) await chown(draft, maker.uid, maker.gid)
  await runProgram(binaries.initdb, initdbArguments(binaries.major), maker, draft)
  if (account) await changeOwner(draft, account)
  await runProgram(binaries.initdb, ['--sync-only'], account, draft)
}

function initdbArguments(major: number): string[] {
  // The locale is fixed, so that sort order and case folding are the same on every machine.
  const locale =
    major >= 17
      ? ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
      : ['--locale=C.UTF-8']
  const access = ['--username=postgres', '--auth-local=trust', '--auth-host=reject']
  return [...access, ...locale, '--encoding=UTF8', '--data-checksums', '--no-instructions', '--no-sync']
}

function otherVersion(pgdata: string, dataVersion: string, programVersion: number): string {
  return (
    `${pgdata} holds the data of PostgreSQL ${dataVersion}, but this version of Slipway includes PostgreSQL ${programVersion}. ` +
    `Set PG_BIN to the programs of PostgreSQL ${dataVersion}, or dump the data with ${dataVersion} and restore it into an empty folder.`
  )
}
