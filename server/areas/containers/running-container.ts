import type { Context } from '../../context.ts'
import { conflict } from '../../errors.ts'
import type { Actor } from '../../route.ts'
import type { ServerRow } from '../servers/server.ts'
import { assertCanEnter } from './container-access.ts'
import { type ContainerInspection, inspectContainer, containerName } from './inspect.ts'

export interface RunningContainer {
  id: string
  name: string
  /** Requires the permission to act as root on the server. */
  asRoot: boolean
}

/** Responds with 404 when there is no such container, 403 or 409 with the reason otherwise. */
export async function getRunningContainer(
  ctx: Context,
  actor: Actor,
  server: ServerRow,
  cid: string,
): Promise<RunningContainer> {
  const inspected = await inspectContainer(ctx, server, cid)
  const { asRoot } = await assertCanEnter(ctx, actor, server, inspected)
  const reason = notRunningReason(inspected)
  if (reason !== undefined) throw conflict('container_not_running', reason)
  return { id: inspected.Id, name: containerName(inspected), asRoot }
}

/** Returns undefined when the container runs. */
export function notRunningReason(inspected: ContainerInspection): string | undefined {
  const { Status, ExitCode } = inspected.State
  if (Status === 'running') return undefined
  const name = containerName(inspected)
  if (Status === 'paused') return `The container ${name} is paused. Unpause it and try again.`
  if (Status === 'created') return `The container ${name} has not been started. Start it and try again.`
  if (Status === 'restarting') return `The container ${name} is restarting. Try again when it is running.`
  if (Status === 'exited')
    return `The container ${name} is not running (exit code ${ExitCode}). Start it and try again.`
  return `The container ${name} is being removed.`
}
