import type { z } from 'zod'
import type { listChanges as contract } from '../../../../contract/deployments.ts'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import { type Actor, hasPermission } from '../../../route.ts'
import { type ApplicationRow, getApplicationRow } from '../application.ts'
import { openReleaseConfiguration, findChanges } from './find-changes.ts'
import type { Change } from './changes.ts'
import { readApplicationConfig } from '../config.ts'
import { networkChanges } from './network-changes.ts'
import { findRelease, type Release } from '../release.ts'

type Query = z.output<(typeof contract)['query']>

/** Compares the configuration or a release with the live release or another one. Empty before the first deployment. */
export async function listChanges(
  ctx: Context,
  actor: Actor,
  id: Id<'application'>,
  { release_id, to_release_id: to }: Query,
): Promise<Change[]> {
  const application = await getApplicationRow(ctx, actor, id)
  const from = release_id ?? application.release_id
  if (from === null) return []
  const before = await getRelease(ctx, application, from)
  const changes = await changesSince(ctx, application, before, to)
  return hasPermission(actor, 'applications.manage') ? changes : changes.map(withoutValue)
}

async function changesSince(
  ctx: Context,
  application: ApplicationRow,
  before: Release,
  to: Id<'release'> | undefined,
): Promise<Change[]> {
  if (to === undefined)
    return [
      ...(await findChanges(
        application.workspace_id,
        openReleaseConfiguration(ctx, before),
        await readApplicationConfig(ctx, ctx.db, application),
      )),
      ...(before.id === application.release_id
        ? await networkChanges(ctx.db, application.workspace_id, application.id)
        : []),
    ]
  const after = await getRelease(ctx, application, to)
  return [
    ...imageBehind(before, after),
    ...(await findChanges(
      application.workspace_id,
      openReleaseConfiguration(ctx, before),
      openReleaseConfiguration(ctx, after),
    )),
  ]
}

/** Settings without secrets; for all others, callers without permission only see that they changed. */
const plain =
  /^(image|commit|port|health|memory_limit|cpu_limit|replicas|restart|(stop|drain)_seconds|volumes\..*|branch|repository|folder|builder|dockerfile|target|profiles|networks?)$/

const withoutValue = (change: Change): Change =>
  plain.test(change.field) ? change : { ...change, from: null, to: null }

/** The same tag may refer to another image by now. */
function imageBehind(from: Release, to: Release): Change[] {
  if (from.config.image !== to.config.image || from.image_id === to.image_id) return []
  return from.commit && to.commit
    ? [{ field: 'commit', kind: 'changed', from: commitOf(from.commit), to: commitOf(to.commit) }]
    : [{ field: 'image', kind: 'changed', from: exactly(from), to: exactly(to) }]
}

const commitOf = ({ sha, message }: NonNullable<Release['commit']>) => `${sha.slice(0, 7)} ${message}`.trim()

const exactly = ({ image, digest, image_id }: Release) =>
  `${image} (${(digest ?? image_id).replace(/^sha256:/, '').slice(0, 12)})`

async function getRelease(
  ctx: Context,
  { workspace_id, id }: ApplicationRow,
  wanted: Id<'release'>,
): Promise<Release> {
  const release = await findRelease(ctx.db, workspace_id, wanted)
  if (release?.application_id !== id) throw notFound('This release')
  return release
}
