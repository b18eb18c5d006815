import { forbidden } from '../../errors.ts'
import type { BuildConfig } from '../../tables.ts'
import { howToApprove } from './host-access.ts'

/** What decides which programs run on the server, and which files they read. */
const read = ['builder', 'repository_id', 'branch', 'folder', 'submodules', 'lfs'] as const

type Built = Pick<BuildConfig, (typeof read)[number]>

/**
 * Railpack reads a repository with programs that run on the server itself, outside of any container, and that do what files
 * of the repository say. Whether this gives those who push here a power that they have not got already.
 */
export const givesServer = (build: Built, before: Built | undefined): boolean =>
  build.builder === 'railpack' && read.some((field) => before?.[field] !== build[field])

export const railpackAccess =
  'Building with Railpack gives everybody who pushes to the repository root access to the server.'

export const whyRailpack = `${railpackAccess} This needs an admin. ${howToApprove} Or choose another way to build in the settings.`

export function checkBuilder(asRoot: boolean, build: Built, before?: Built): void {
  if (givesServer(build, before) && !asRoot)
    throw forbidden(
      'Only admins may have a repository built with Railpack, and on This machine only instance owners: everybody who pushes there gains root access to the server. Choose another way to build, or ask an admin.',
    )
}
