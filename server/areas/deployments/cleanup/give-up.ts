import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '../../../errors.ts'
import { Stopped } from '../../../platform/jobs.ts'
import { RemoteError } from '../../../remote/errors.ts'
import { sayWhy } from '../../servers/reach.ts'
import { type Attempt, Cancelled, Failed, tellChange, writeAs } from '../run/attempt.ts'
import { deployAttempts } from '../run/deploy-job.ts'
import { endCancelled, endFailed } from '../run/finish.ts'
import { isAway } from '../run/hold-out.ts'
import { errorsOf, sealErrors, sealStepError } from '../run/sealed-errors.ts'
import { updateDeployment, updateSteps } from '../run/store.ts'
import { undo } from './undo.ts'

/** Milliseconds for which it is tried to undo it at once. */
const undoWithin = 5_000

/** Undoes what was begun. What Slipway itself failed at is tried again first, from where it was. */
export async function giveUp(attempt: Attempt, error: unknown): Promise<void> {
  const { ctx, run, deployment } = attempt
  const { reason } = run.signal
  if (error instanceof Cancelled || (reason instanceof Stopped && reason.why === 'cancelled')) {
    await undoOrLeave(attempt)
    return endCancelled(attempt)
  }
  run.signal.throwIfAborted()
  const why = whyOf(attempt, error)
  if (!why && !isLast(attempt)) throw error
  const found = [why ?? ownFailure, ...wordsOf(error)]
  const before = errorsOf(ctx, deployment)
  const errors = before.length > 0 ? before : found
  await writeAs(attempt, async (trx) => {
    const { workspace_id, id } = deployment
    const failed = { status: 'failed', error_sealed: sealStepError(ctx, id, errors[0] ?? '') } as const
    await updateSteps(trx, workspace_id, id, { status: 'running' }, failed)
    await updateDeployment(trx, workspace_id, id, { errors_sealed: sealErrors(ctx, id, errors) })
    await tellChange(trx, attempt)
  })
  const isUndone = await undoOrLeave(attempt)
  await endFailed(attempt, errors, isUndone)
}

/** It is not tried again after this. */
export const isLast = ({ run }: Attempt) => run.attempt >= deployAttempts

export const ownFailure =
  'Slipway failed with an internal error. See the Slipway log for details, then deploy again.'

const wordsOf = (error: unknown) => (error instanceof Failed ? error.words : [])

/** A sentence; nothing for what is no failure of the server or of what is deployed. */
export function whyOf({ server }: Attempt, error: unknown): string | undefined {
  const said = error instanceof RemoteError ? sayWhy(server, error) : error
  if (!(said instanceof Failed || said instanceof Problem)) return undefined
  return isFull.test(said.message)
    ? `The disk of ${server.name} is full. Free up space, then deploy again.`
    : said.message
}

/** In whichever words of Docker's it stands. */
const isFull = /no space left on device/i

/**
 * While the server is away nothing can be taken back there: its rows stay, and are tidied up when it is reached. Whether all
 * is as it was.
 */
async function undoOrLeave(attempt: Attempt): Promise<boolean> {
  const began = Date.now()
  for (;;) {
    try {
      await undo(attempt)
      return true
    } catch (error) {
      const why = whyOf(attempt, error)
      if (!why) throw error
      if (!isAway(error) || Date.now() - began > undoWithin) {
        attempt.log.say(`${why} Slipway cleans up after this deployment later.`)
        return false
      }
      await sleep(500)
    }
  }
}
