import { roleAllows } from '../../../contract/shared/permissions.ts'
import type { Context } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { type Actor, hasPermission } from '../../route.ts'
import type { ServerRow } from '../servers/server.ts'
import { canActAsRoot } from '../servers/root-access.ts'
import { withServerHost } from '../servers/server-host.ts'
import { applicationFolderPath } from './application-folder.ts'
import { findHostAccess } from './host-access.ts'
import { readOwnerLabels } from './slipway-labels.ts'
import { findOwningApplication, listOwningApplicationIds } from './store.ts'
import { type ContainerInspection, containerName } from './docker-container.ts'

export const findContainerApplication = (ctx: Context, server: ServerRow, { Config }: ContainerInspection) =>
  findOwningApplication(ctx.db, server.workspace_id, server.id, readOwnerLabels(Config.Labels).application_id)

export async function assertCanControl(
  ctx: Context,
  actor: Actor,
  server: ServerRow,
  inspected: ContainerInspection,
): Promise<void> {
  if (canActAsRoot(actor, server) || (await findContainerApplication(ctx, server, inspected))) return
  throw forbidden(
    `The container ${containerName(inspected)} does not belong to an application in this workspace. Only admins can control it.`,
  )
}

export async function controllablePredicate(ctx: Context, actor: Actor, server: ServerRow) {
  if (!hasPermission(actor, 'containers.operate')) return () => false
  if (canActAsRoot(actor, server)) return () => true
  const owningIds = new Set<string>(await listOwningApplicationIds(ctx.db, server.workspace_id, server.id))
  return (applicationId: string | null) => owningIds.has(applicationId ?? '')
}

export async function getContainerRights(
  ctx: Context,
  actor: Actor,
  server: ServerRow,
  inspected: ContainerInspection,
) {
  const application = await findContainerApplication(ctx, server, inspected)
  const asRoot = canActAsRoot(actor, server)
  return {
    application,
    controllable: hasPermission(actor, 'containers.operate') && (asRoot || application !== undefined),
    enter_refusal: (await whyNotEnter(ctx, actor, server, inspected)) ?? null,
    masked: application ? !hasPermission(actor, 'applications.manage') : !asRoot,
  }
}

async function whyNotEnter(ctx: Context, actor: Actor, server: ServerRow, inspected: ContainerInspection) {
  const { role } = actor.workspace
  if (!hasPermission(actor, 'containers.shell'))
    return roleAllows(role, 'containers.shell')
      ? 'This workspace limits terminals and commands in containers to admins.'
      : 'Your role cannot open terminals or run commands in containers. Ask a workspace admin to change your role.'
  if (canActAsRoot(actor, server)) return undefined
  const reason = await whyRootInside(ctx, server, inspected)
  return reason === undefined ? undefined : asRootInside(server, inspected, reason)
}

const asRootInside = ({ name }: ServerRow, inspected: ContainerInspection, reason: string) =>
  `Access to the container ${containerName(inspected)} can give root access to ${name} because ${reason}. Ask a workspace admin to open a terminal or run commands in it.`

export async function assertCanEnter(
  ctx: Context,
  actor: Actor,
  server: ServerRow,
  inspected: ContainerInspection,
): Promise<{ asRoot: boolean }> {
  const reason = await whyRootInside(ctx, server, inspected)
  if (reason !== undefined && !canActAsRoot(actor, server))
    throw forbidden(asRootInside(server, inspected, reason))
  return { asRoot: reason !== undefined }
}

async function whyRootInside(ctx: Context, server: ServerRow, inspected: ContainerInspection) {
  const application = await findContainerApplication(ctx, server, inspected)
  if (!application) return 'it does not belong to an application in this workspace'
  return withServerHost(ctx, server, ({ docker }) =>
    findHostAccess(docker, inspected, applicationFolderPath(application)),
  )
}
