import { forbidden } from '../../errors.ts'
import { type Actor, holds } from '../../route.ts'
import type { BuildConfig } from '../../tables.ts'

type Built = Pick<BuildConfig, 'builder' | 'repository_id' | 'branch'>

/**
 * Railpack reads a repository with programs that run on the server itself, outside of any container, and that do what files
 * of the repository say. Whether this gives those who push here a power that they have not got already.
 */
export const givesServer = (build: Built, before: Built | undefined): boolean =>
  build.builder === 'railpack' &&
  !(
    before?.builder === 'railpack' &&
    before.repository_id === build.repository_id &&
    before.branch === build.branch
  )

export function checkBuilder(actor: Pick<Actor, 'workspace' | 'via'>, build: Built, before?: Built): void {
  if (givesServer(build, before) && !holds(actor, 'binds.manage'))
    throw forbidden(
      'Only admins may have a repository built with Railpack, as that gives everybody who pushes there power over the server. Choose another way to build, or ask an admin.',
    )
}
