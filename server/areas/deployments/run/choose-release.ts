import type { Id } from '../../../../contract/shared/ids.ts'
import { conflict, notFound } from '../../../errors.ts'
import type { Db, Trx } from '../../../tables.ts'
import type { ApplicationRow } from '../../applications/application.ts'
import {
  findRelease,
  retainedReleaseCount,
  listLiveReleases,
  type Release,
} from '../../applications/release.ts'
import { type DeploymentType, lockUnfinished } from './deployment.ts'

export async function findTargetRelease(
  db: Db,
  application: ApplicationRow,
  type: string,
): Promise<Release | undefined> {
  if (type === 'rollback_application') return findPreviousRelease(db, application)
  const { workspace_id, release_id } = application
  return release_id ? findRelease(db, workspace_id, release_id) : undefined
}

export async function findPreviousRelease(
  db: Db,
  { workspace_id, id, release_id }: ApplicationRow,
): Promise<Release | undefined> {
  const releases = await listLiveReleases(db, workspace_id, id)
  return releases.find((release) => release.id !== release_id)
}

export function noReleaseMessage({ name, release_id }: ApplicationRow, type: string): string {
  const has = `The application ${name}`
  return release_id === null
    ? `${has} has never been deployed, so there is nothing to ${verbs[type] ?? 'redeploy'}. Deploy it first.`
    : `${has} has only one release, so there is no release to roll back to.`
}

const verbs: Record<string, string> = {
  rollback_application: 'roll back to',
  restart_application: 'restart',
  start_application: 'start',
  stop_application: 'stop',
}

export async function getRollbackRelease(
  db: Db,
  application: ApplicationRow,
  id: Id<'release'>,
): Promise<Release> {
  const release = await findRelease(db, application.workspace_id, id)
  if (release?.application_id !== application.id) throw notFound('This release')
  const reason = rollbackRefusal(application, release)
  if (reason !== undefined) throw conflict('release_gone', reason)
  return release
}

function rollbackRefusal(
  { release_id }: ApplicationRow,
  { id, number, live_at, kept }: Release,
): string | undefined {
  if (id === release_id) return `Release ${number} is already live. Restart the application instead.`
  if (live_at === null) return `Release ${number} was never live, so you cannot roll back to it.`
  if (!kept)
    return `The image of release ${number} is no longer on the server, which keeps the images of the last ${retainedReleaseCount} releases. Deploy that image again instead.`
  return undefined
}

/** Finds the release as of now; it may not exist yet while the first deployment is running. */
export async function expectedRelease(
  trx: Trx,
  application: ApplicationRow,
  { type, release }: { type: DeploymentType; release?: Id<'release'> | undefined },
): Promise<Release | undefined> {
  if (release) return getRollbackRelease(trx, application, release)
  const { workspace_id, id } = application
  const targetRelease = await findTargetRelease(trx, application, type)
  if (!targetRelease && (await lockUnfinished(trx, workspace_id, id, ['running'])).length === 0)
    throw conflict(
      type === 'rollback_application' ? 'no_release_before' : 'never_deployed',
      noReleaseMessage(application, type),
    )
  return targetRelease
}
