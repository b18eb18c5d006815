import { forbidden } from '../../errors.ts'
import type { BuildConfig } from '../../tables.ts'
import { approvalInstructions } from './host-access.ts'

/** Settings that decide which programs run on the server and which files they read. */
const read = ['builder', 'repository_id', 'branch', 'folder', 'submodules', 'lfs'] as const

type Built = Pick<BuildConfig, (typeof read)[number]>

/**
 * Railpack runs programs of the repository directly on the server, outside containers. Returns whether a change gives
 * root access to someone who does not have it.
 */
export const grantsServerAccess = (build: Built, before: Built | undefined): boolean =>
  build.builder === 'railpack' && read.some((field) => before?.[field] !== build[field])

export const railpackAccess =
  'Building with Railpack gives everyone who can push to the repository root access to the server.'

export const railpackRefusal = `${railpackAccess} An admin must approve this. ${approvalInstructions} Or choose another builder in the settings.`

export function checkBuilder(asRoot: boolean, build: Built, before?: Built): void {
  if (grantsServerAccess(build, before) && !asRoot)
    throw forbidden(
      'Only admins can choose Railpack, and only instance owners on This machine: everyone who can push to the repository gains root access to the server. Choose another builder, or ask an admin.',
    )
}
