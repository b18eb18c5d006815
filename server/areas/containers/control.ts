import { may } from '../../../contract/shared/permissions.ts'
import type { Context } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { type Actor, holds } from '../../route.ts'
import { mayActAsRoot } from '../servers/act-as-root.ts'
import { reach } from '../servers/reach.ts'
import type { ServerRow } from '../servers/server.ts'
import { applicationFolderOf } from './application-folder.ts'
import { findHostAccess } from './host-access.ts'
import { type Inspected, nameOf } from './inspect.ts'
import { ownersOf } from './own-labels.ts'
import { findOwner, listOwners } from './store.ts'

/** The application that a container belongs to; undefined for one of others, such as the proxy. */
export const applicationOf = (ctx: Context, server: ServerRow, { Config }: Inspected) =>
  findOwner(ctx.db, server.workspace_id, server.id, ownersOf(Config.Labels).application_id)

/** Throws where the container is of no application of the workspace and the actor may not act as root on its server. */
export async function mustControl(
  ctx: Context,
  actor: Actor,
  server: ServerRow,
  inspected: Inspected,
): Promise<void> {
  if (mayActAsRoot(actor, server) || (await applicationOf(ctx, server, inspected))) return
  throw forbidden(
    `The container ${nameOf(inspected)} belongs to no application of this workspace, so only admins may control it.`,
  )
}

/** The same of many, by the application that each says it belongs to. */
export async function controlsOf(ctx: Context, actor: Actor, server: ServerRow) {
  if (!holds(actor, 'containers.operate')) return () => false
  if (mayActAsRoot(actor, server)) return () => true
  const own = new Set<string>(await listOwners(ctx.db, server.workspace_id, server.id))
  return (applicationId: string | null) => own.has(applicationId ?? '')
}

/** What the actor may do with one of them, and see of it. */
export async function rightsOn(ctx: Context, actor: Actor, server: ServerRow, inspected: Inspected) {
  const application = await applicationOf(ctx, server, inspected)
  const asRoot = mayActAsRoot(actor, server)
  return {
    application,
    controllable: holds(actor, 'containers.operate') && (asRoot || application !== undefined),
    enter_refusal: (await whyNotEnter(ctx, actor, server, inspected)) ?? null,
    masked: application ? !holds(actor, 'applications.manage') : !asRoot,
  }
}

async function whyNotEnter(ctx: Context, actor: Actor, server: ServerRow, inspected: Inspected) {
  const { role } = actor.workspace
  if (!holds(actor, 'containers.shell'))
    return may(role, 'containers.shell')
      ? 'This workspace limits terminals and commands in containers to admins.'
      : 'Your role does not open terminals or run commands in containers.'
  if (mayActAsRoot(actor, server)) return undefined
  const why = await whyRootInside(ctx, server, inspected)
  return why === undefined ? undefined : asRootInside(server, inspected, why)
}

const asRootInside = ({ name }: ServerRow, inspected: Inspected, why: string) =>
  `Running something in the container ${nameOf(inspected)} can equal root on ${name}, as ${why}. Ask an admin.`

/** Whether running something inside the container takes the right to act as root; throws for who lacks it then. */
export async function mustEnter(
  ctx: Context,
  actor: Actor,
  server: ServerRow,
  inspected: Inspected,
): Promise<{ asRoot: boolean }> {
  const why = await whyRootInside(ctx, server, inspected)
  if (why !== undefined && !mayActAsRoot(actor, server)) throw forbidden(asRootInside(server, inspected, why))
  return { asRoot: why !== undefined }
}

async function whyRootInside(ctx: Context, server: ServerRow, inspected: Inspected) {
  const application = await applicationOf(ctx, server, inspected)
  if (!application) return 'it belongs to no application of this workspace'
  return reach(ctx, server, ({ docker }) =>
    findHostAccess(docker, inspected, applicationFolderOf(application)),
  )
}
