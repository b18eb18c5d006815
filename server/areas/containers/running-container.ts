import type { Context } from '../../context.ts'
import { conflict } from '../../errors.ts'
import type { Actor } from '../../route.ts'
import type { ServerRow } from '../servers/server.ts'
import { assertCanEnter } from './container-access.ts'
import { type ContainerInspection, inspectContainer, containerName } from './inspect.ts'

/** One in which something can be run. */
export interface RunningContainer {
  id: string
  name: string
  /** Running something in it takes the right to act as root on its server. */
  asRoot: boolean
}

/** A container in which this person can run something; 404 when there is none, 403 and 409 with the reason when they cannot. */
export async function getRunningContainer(
  ctx: Context,
  actor: Actor,
  server: ServerRow,
  cid: string,
): Promise<RunningContainer> {
  const inspected = await inspectContainer(ctx, server, cid)
  const { asRoot } = await assertCanEnter(ctx, actor, server, inspected)
  const why = notRunningReason(inspected)
  if (why !== undefined) throw conflict('container_not_running', why)
  return { id: inspected.Id, name: containerName(inspected), asRoot }
}

/** Undefined when it runs. */
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
