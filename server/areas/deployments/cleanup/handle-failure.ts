import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '../../../errors.ts'
import { JobStopped } from '../../../platform/jobs.ts'
import { RemoteError } from '../../../remote/errors.ts'
import { toServerProblem } from '../../servers/reach.ts'
import {
  type DeploymentRun,
  DeploymentCanceled,
  DeploymentFailed,
  nudgeDeployment,
  writeWithLease,
} from '../run/deployment-run.ts'
import { deployAttempts } from '../run/deploy-job.ts'
import { finishCanceled, finishFailed } from '../run/finish.ts'
import { isUnreachable } from '../run/retry-while-unreachable.ts'
import { openErrors, sealErrors, sealStepError } from '../run/sealed-errors.ts'
import { updateDeployment, updateSteps } from '../run/store.ts'
import { revertDeployment } from './revert-deployment.ts'

const revertTimeout = 5_000

/** Reverts the deployment and saves the error. Internal errors are retried first. */
export async function handleFailure(attempt: DeploymentRun, error: unknown): Promise<void> {
  const { ctx, run, deployment } = attempt
  const { reason } = run.signal
  if (
    error instanceof DeploymentCanceled ||
    (reason instanceof JobStopped && reason.reason === 'cancelled')
  ) {
    await tryRevert(attempt)
    return finishCanceled(attempt)
  }
  run.signal.throwIfAborted()
  const why = failureMessage(attempt, error)
  if (!why && !isLastAttempt(attempt)) throw error
  const found = [why ?? internalErrorMessage, ...errorLines(error)]
  const before = openErrors(ctx, deployment)
  const errors = before.length > 0 ? before : found
  await writeWithLease(attempt, async (trx) => {
    const { workspace_id, id } = deployment
    const failed = { status: 'failed', error_sealed: sealStepError(ctx, id, errors[0] ?? '') } as const
    await updateSteps(trx, workspace_id, id, { status: 'running' }, failed)
    await updateDeployment(trx, workspace_id, id, { errors_sealed: sealErrors(ctx, id, errors) })
    await nudgeDeployment(trx, attempt)
  })
  const isUndone = await tryRevert(attempt)
  await finishFailed(attempt, errors, isUndone)
}

export const isLastAttempt = ({ run }: DeploymentRun) => run.attempt >= deployAttempts

export const internalErrorMessage =
  'Slipway failed with an internal error. See the Slipway log for details, then deploy again.'

const errorLines = (error: unknown) => (error instanceof DeploymentFailed ? error.lines : [])

/** Returns undefined for internal errors. */
export function failureMessage({ server }: DeploymentRun, error: unknown): string | undefined {
  const said = error instanceof RemoteError ? toServerProblem(server, error) : error
  if (!(said instanceof DeploymentFailed || said instanceof Problem)) return undefined
  return diskFull.test(said.message)
    ? `The disk of ${server.name} is full. Free up space, then deploy again.`
    : said.message
}

const diskFull = /no space left on device/i

/**
 * Returns whether everything was reverted. While the server is unreachable the rows stay, and the orphan job
 * cleans up later.
 */
async function tryRevert(attempt: DeploymentRun): Promise<boolean> {
  const began = Date.now()
  for (;;) {
    try {
      await revertDeployment(attempt)
      return true
    } catch (error) {
      const why = failureMessage(attempt, error)
      if (!why) throw error
      if (!isUnreachable(error) || Date.now() - began > revertTimeout) {
        attempt.log.write(`${why} Slipway cleans up after this deployment later.`)
        return false
      }
      await sleep(500)
    }
  }
}
