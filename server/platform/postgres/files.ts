import { statfsSync } from 'node:fs'

export async function undefinedIfMissing<T>(promise: Promise<T>): Promise<T | undefined> {
  return promise.catch((error: unknown) => {
    if (hasErrorCode(error, 'ENOENT')) return undefined
    throw error
  })
}

export function hasErrorCode(error: unknown, ...codes: string[]): boolean {
  return (
    error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code)
  )
}

export const NO_SPACE = /No space left on device|Disk quota exceeded|ENOSPC|EDQUOT/

export const diskFullMessage = (path: string) => `The disk that holds ${path} is full.`

/** PostgreSQL writes WAL segments of 16 MB. With less free space, it soon stops again. */
const NEEDED = 16 * 1024 * 1024

export function diskIsFull(path: string): boolean {
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize < NEEDED
}
