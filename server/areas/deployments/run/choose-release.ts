import type { deploymentTypes } from '../../../../contract/deployments.ts'
import type { Id } from '../../../../contract/shared/ids.ts'
import { conflict, notFound } from '../../../errors.ts'
import type { Db } from '../../../tables.ts'
import type { ApplicationRow } from '../../applications/application.ts'
import { findRelease, keptReleases, listLiveReleases, type Release } from '../../applications/release.ts'
import { countServices } from './plan-message.ts'

export type DeploymentType = (typeof deploymentTypes)[number]

/** Other types deploy an existing release. */
export const createsRelease = (type: string) => type === 'deploy_application' || type === 'build_application'

/** Finds the release to deploy: the previous one for a rollback, otherwise the current one. */
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
  return releases.find((one) => one.id !== release_id)
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
  const why = rollbackRefusal(application, release)
  if (why !== undefined) throw conflict('release_gone', why)
  return release
}

function rollbackRefusal(
  { release_id }: ApplicationRow,
  { id, number, live_at, kept }: Release,
): string | undefined {
  if (id === release_id) return `Release ${number} is already live. Restart the application instead.`
  if (live_at === null) return `Release ${number} was never live, so you cannot roll back to it.`
  if (!kept)
    return `The image of release ${number} is no longer on the server, which keeps the last ${keptReleases} releases. Deploy its image again instead.`
  return undefined
}

export function deploymentMessage(
  { image, services }: ApplicationRow,
  type: string,
  release: Release | undefined,
): string {
  const number = release ? `release ${release.number}` : ''
  if (type === 'rollback_application') return `Roll back to ${number || 'the previous release'}`
  if (type === 'restart_application') return `Restart ${number}`.trim()
  if (type === 'start_application') return `Start ${number}`.trim()
  if (type === 'stop_application') return `Stop ${number}`.trim()
  return `Deploy ${image ?? countServices(services?.length ?? 0)}`
}
