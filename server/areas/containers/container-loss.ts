import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import type { ServerRow } from '../servers/server.ts'
import { inspectContainer } from './inspect.ts'
import { notRunningReason } from './running-container.ts'

/** A container that stops kills what runs in it, and Docker notes a little later that it did. */
const looks = 5
const lookEvery = 200

/** What a program ends with that is killed. */
const killed = 137

/** What became of a container in which something ended with this; nothing when it still runs, or nobody can tell. */
export async function findContainerLoss(
  ctx: Context,
  server: ServerRow,
  id: string,
  code: number | null,
): Promise<'removed' | 'stopped' | 'without Docker' | undefined> {
  for (let look = 1; ; look++) {
    const fate = await lookAt(ctx, server, id)
    if (fate !== undefined || code !== killed || look === looks) return fate
    await sleep(lookEvery)
  }
}

async function lookAt(ctx: Context, server: ServerRow, id: string) {
  try {
    const inspected = await inspectContainer(ctx, server, id)
    // What is paused has not ended what runs in it.
    const runs = inspected.State.Status === 'paused' || notRunningReason(inspected) === undefined
    return runs ? undefined : 'stopped'
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.status === 404) return 'removed'
    return error.code === 'server_failed' ? 'without Docker' : undefined
  }
}
