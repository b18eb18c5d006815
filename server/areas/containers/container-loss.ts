import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import type { ServerRow } from '../servers/server.ts'
import { inspectContainer } from './inspect.ts'
import { notRunningReason } from './running-container.ts'

/** Docker reports the exit of a container slightly later than the exit of its processes. */
const maxChecks = 5
const lookEvery = 200

/** Exit code of a killed program (128 + SIGKILL). */
const killed = 137

/** Explains an exit code by the state of the container; undefined when it still runs or the state is unknown. */
export async function findContainerLoss(
  ctx: Context,
  server: ServerRow,
  id: string,
  code: number | null,
): Promise<'removed' | 'stopped' | 'without Docker' | undefined> {
  for (let look = 1; ; look++) {
    const fate = await lookAt(ctx, server, id)
    if (fate !== undefined || code !== killed || look === maxChecks) return fate
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
