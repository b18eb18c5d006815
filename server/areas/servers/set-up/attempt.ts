import { setTimeout as sleep } from 'node:timers/promises'
import { setupSteps } from '../../../../contract/setups.ts'
import type { Context } from '../../../context.ts'
import type { Run } from '../../../platform/jobs.ts'
import { transaction } from '../../../platform/transaction.ts'
import { Lost, TimedOut, Unreachable } from '../../../remote/errors.ts'
import type { Host } from '../../../remote/host.ts'
import type { Trx } from '../../../tables.ts'
import { appendOutput } from '../../outputs/output.ts'
import { hostOf } from '../reach.ts'
import { findServer, type ServerRow } from '../server.ts'
import { type SetupChanges, type SetupRow, updateSetup } from './store.ts'

export type Step = (typeof setupSteps)[number]
export const isStep = (name: string): name is Step => setupSteps.some((step) => step === name)

/** A set-up in the hands of the worker that holds its lease. */
export interface Attempt {
  ctx: Context
  run: Run
  /** As it was last written. */
  setup: SetupRow
}

/** Why it cannot be done, as a sentence for a person. */
export class SetUpFailed extends Error {}

/** The server was deleted, and its set-up with it. */
export class Gone extends Error {}

/** Writes down how far it is and what was said, both or neither, and only while the lease is ours. */
export async function note(
  attempt: Attempt,
  changes: SetupChanges,
  said: string,
  also: (trx: Trx) => Promise<unknown> = async () => {},
): Promise<void> {
  const { ctx, run, setup } = attempt
  attempt.setup = await transaction(ctx.db, async (trx) => {
    await run.stillMine(trx)
    const row = await updateSetup(trx, setup.workspace_id, setup.id, changes)
    if (!row) throw new Gone()
    if (said !== '')
      await appendOutput(ctx, trx, row.workspace_id, row.id, [{ stream: 'stdout', text: said }])
    await also(trx)
    return row
  })
}

/** Begins a step in the words of the script. What was begun before a restart is not told again. */
export async function begin(attempt: Attempt, step: Step, what: string): Promise<void> {
  if (attempt.setup.step !== step) await note(attempt, { status: 'running', step }, `==> ${step}: ${what}\n`)
}

/**
 * Does something with the server, over again while it cannot be reached. Gives up when nothing was heard of it for
 * `patience` milliseconds.
 */
export async function insist<T>(
  attempt: Attempt,
  patience: number,
  act: (host: Host, server: ServerRow, heard: () => void) => Promise<T>,
): Promise<T> {
  const { signal } = attempt.run
  let last = Date.now()
  for (;;) {
    const server = await serverOf(attempt)
    try {
      return await act(hostOf(attempt.ctx, server), server, () => (last = Date.now()))
    } catch (error) {
      signal.throwIfAborted()
      if (!isOutOfReach(error) || Date.now() - last > patience) throw error
      await sleep(500, undefined, { signal })
    }
  }
}

const isOutOfReach = (error: unknown) =>
  error instanceof Lost || error instanceof Unreachable || error instanceof TimedOut

/** As it is now: its address may have been changed meanwhile. */
export async function serverOf({ ctx, setup }: Attempt): Promise<ServerRow> {
  const server = await findServer(ctx, setup.workspace_id, setup.server_id)
  if (!server) throw new Gone()
  return server
}
