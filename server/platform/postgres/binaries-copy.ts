import { randomBytes } from 'node:crypto'
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
import { dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { hasErrorCode, undefinedIfMissing } from './files.ts'

const links = z.array(z.object({ source: z.string(), target: z.string() }))

/**
 * Creates the symbolic links that npm packages cannot contain; the install script does not always run. Returns false when
 * links are missing and the folder is not writable.
 */
export async function createLinks(home: string): Promise<boolean> {
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

/** Copies the binaries once per version, atomically. All users may read and run the copy. */
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

/** Removes interrupted copies. One from the last hour may still be in progress. */
async function removeDrafts(cache: string): Promise<void> {
  for (const name of (await undefinedIfMissing(readdir(cache))) ?? []) {
    if (!/^postgres-.*\.[0-9a-f]{8}$/.test(name)) continue
    const draft = join(cache, name)
    const found = await undefinedIfMissing(lstat(draft))
    if (found && found.mtimeMs < Date.now() - 3_600_000) await rm(draft, { recursive: true, force: true })
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
