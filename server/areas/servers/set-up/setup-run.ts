import { setTimeout as sleep } from 'node:timers/promises'
import { setupSteps } from '../../../../contract/setups.ts'
import type { Context } from '../../../context.ts'
import type { JobRun } from '../../../platform/jobs.ts'
import { transaction } from '../../../platform/transaction.ts'
import { ConnectionLost, RemoteTimeout, HostUnreachable } from '../../../remote/errors.ts'
import type { Host } from '../../../remote/host.ts'
import type { Trx } from '../../../tables.ts'
import { appendOutput } from '../../outputs/output.ts'
import { getServerHost } from '../server-host.ts'
import { findServer, type ServerRow } from '../server.ts'
import { type SetupChanges, type SetupRow, updateSetup } from './store.ts'

export type SetupStep = (typeof setupSteps)[number]
export const isSetupStep = (name: string): name is SetupStep => setupSteps.some((step) => step === name)

export interface SetupRun {
  ctx: Context
  run: JobRun
  setup: SetupRow
}

export class SetUpFailed extends Error {}

export class ServerDeleted extends Error {}

/** Saves progress and output in one transaction, only while the lease is valid. */
export async function saveProgress(
  attempt: SetupRun,
  changes: SetupChanges,
  output: string,
  also: (trx: Trx) => Promise<unknown> = async () => {},
): Promise<void> {
  const { ctx, run, setup } = attempt
  attempt.setup = await transaction(ctx.db, async (trx) => {
    await run.assertLease(trx)
    const row = await updateSetup(trx, setup.workspace_id, setup.id, changes)
    if (!row) throw new ServerDeleted()
    if (output !== '')
      await appendOutput(ctx, trx, row.workspace_id, row.id, [{ stream: 'stdout', text: output }])
    await also(trx)
    return row
  })
}

export async function startStep(attempt: SetupRun, step: SetupStep, what: string): Promise<void> {
  if (attempt.setup.step !== step)
    await saveProgress(attempt, { status: 'running', step }, `==> ${step}: ${what}\n`)
}

export async function retrySetupWhileUnreachable<T>(
  attempt: SetupRun,
  timeoutMs: number,
  act: (host: Host, server: ServerRow, markResponded: () => void) => Promise<T>,
): Promise<T> {
  const { signal } = attempt.run
  let last = Date.now()
  for (;;) {
    const server = await readCurrentServer(attempt)
    try {
      return await act(getServerHost(attempt.ctx, server), server, () => (last = Date.now()))
    } catch (error) {
      signal.throwIfAborted()
      if (!isOutOfReach(error) || Date.now() - last > timeoutMs) throw error
      await sleep(500, undefined, { signal })
    }
  }
}

const isOutOfReach = (error: unknown) =>
  error instanceof ConnectionLost || error instanceof HostUnreachable || error instanceof RemoteTimeout

export async function readCurrentServer({ ctx, setup }: SetupRun): Promise<ServerRow> {
  const server = await findServer(ctx, setup.workspace_id, setup.server_id)
  if (!server) throw new ServerDeleted()
  return server
}
