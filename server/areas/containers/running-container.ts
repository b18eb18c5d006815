import type { Context } from '../../context.ts'
import { conflict, Problem } from '../../errors.ts'
import type { Actor } from '../../route.ts'
import type { ServerRow } from '../servers/server.ts'
import { assertCanEnter } from './container-access.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ContainerInspection, containerName, inspectContainer } from './docker-container.ts'

export interface RunningContainer {
  id: string
  name: string
  asRoot: boolean
}

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

/** Docker reports the exit of a container slightly later than the exit of its processes. */
const maxChecks = 5
const lookEvery = 200

const killed = 137

export async function findContainerLoss(
  ctx: Context,
  server: ServerRow,
  id: string,
  code: number | null,
): Promise<'removed' | 'stopped' | 'without Docker' | undefined> {
  for (let check = 1; ; check++) {
    const fate = await lookAt(ctx, server, id)
    if (fate !== undefined || code !== killed || check === maxChecks) return fate
    await sleep(lookEvery)
  }
}

async function lookAt(ctx: Context, server: ServerRow, id: string) {
  try {
    const inspected = await inspectContainer(ctx, server, id)
    // A paused container keeps its processes.
    const runs = inspected.State.Status === 'paused' || notRunningReason(inspected) === undefined
    return runs ? undefined : 'stopped'
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.status === 404) return 'removed'
    return error.code === 'server_failed' ? 'without Docker' : undefined
  }
}
