import type { Id } from '../../../contract/shared/ids.ts'
import type { cloudSteps } from '../../../contract/servers.ts'
import type { Context } from '../../context.ts'
import { emit } from '../../events.ts'
import { type JobRun, JobStopped } from '../../platform/jobs.ts'
import { Problem } from '../../errors.ts'
import { provisionAttempts, enqueueProvision } from '../servers/creation.ts'
import {
  CreationChanged,
  type Creation,
  CreationFailed,
  saveCreationProgress,
  readCreation,
} from './creation.ts'
import { RetryProvisioningLater, postponeCreation, retryDelay } from './postpone.ts'
import { creationFailedMessage } from './failure-messages.ts'
import { createAtProvider } from './steps/create.ts'
import { waitUntilBooted, waitUntilConnected } from './steps/follow.ts'
import { uploadKey } from './steps/key.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Trx } from '../../tables.ts'
import { toProviderAccount, findCloudToken } from '../cloud-tokens/cloud-token.ts'
import { isTokenRejection } from '../cloud-tokens/token-status.ts'
import { CloudUnavailable, CloudBusy } from '../providers/cloud-errors.ts'
import { pollScale } from './timings.ts'
import { updateCloudServer } from './store.ts'

const steps: Record<(typeof cloudSteps)[number], (creation: Creation) => Promise<void>> = {
  key: uploadKey,
  create: createAtProvider,
  boot: waitUntilBooted,
  call: waitUntilConnected,
}

interface Payload {
  workspace_id: Id<'workspace'>
  server_id: Id<'server'>
  tries?: number | undefined
}

/**
 * Runs the creation. Each step is saved when done and is idempotent, so another worker can resume from the
 * row.
 */
export async function provisionCloudServer(
  ctx: Context,
  { workspace_id: workspaceId, server_id: id, tries = 0 }: Payload,
  run: JobRun,
): Promise<void> {
  for (let failures = tries; ; failures = 0) {
    run.signal.throwIfAborted()
    const creation = await readCreation(ctx, run, workspaceId, id)
    if (!creation) return
    creation.tries = failures
    const { server, cloud } = creation
    if (cloud.step === null) return takeKeyAway(creation)
    if (server.status !== 'provisioning') return
    if ((await goOn(creation, steps[cloud.step])) === 'later') return
  }
}

async function goOn(
  creation: Creation,
  step: (creation: Creation) => Promise<void>,
): Promise<'later' | undefined> {
  try {
    await step(creation)
  } catch (error) {
    creation.run.signal.throwIfAborted()
    if (error instanceof JobStopped) throw error
    if (error instanceof RetryProvisioningLater) return endAs(postponeCreation(creation, error), 'later')
    if (error instanceof CreationChanged) return undefined
    const failure = failureOf(creation, error)
    if (!failure) throw error
    await endAs(fail(creation, failure), undefined)
  }
  return undefined
}

/** The server may have connected or been marked for destruction meanwhile. */
async function endAs<T>(written: Promise<void>, end: T): Promise<T | undefined> {
  try {
    await written
    return end
  } catch (error) {
    if (!(error instanceof CreationChanged)) throw error
    return undefined
  }
}

/** Internal errors are retried before the creation fails. */
function failureOf({ cloud, run }: Creation, error: unknown): CreationFailed | undefined {
  if (error instanceof CreationFailed) return error
  if (error instanceof Problem) return new CreationFailed(creationFailedMessage(cloud, error.message))
  if (run.attempt < provisionAttempts) return undefined
  return new CreationFailed(
    creationFailedMessage(cloud, 'The creation failed because of an internal error. See the Slipway log.'),
  )
}

async function fail(creation: Creation, { message, changes }: CreationFailed): Promise<void> {
  const { id, name, workspace_id: workspaceId } = creation.server
  const where = changes.cloud_id === null ? { address: null } : {}
  await saveCreationProgress(
    creation,
    { cloud: changes, server: { status: 'failed', reason: message, ...where } },
    (trx) =>
      emit(trx, 'slipway', workspaceId, 'server.creation_failed', { kind: 'server', id, name }, message),
  )
}

/**
 * The server connected and has its key, so the key is removed from the provider. Retries while the provider
 * is unavailable, unless the token is rejected.
 */
async function takeKeyAway(creation: Creation): Promise<void> {
  const { ctx, run, server, cloud, tries } = creation
  const { workspace_id: workspaceId, server_id: id, cloud_key_id: key } = cloud
  if (key === null) return
  const write = (change: (trx: Trx) => Promise<unknown>) =>
    transaction(ctx.db, async (trx) => {
      await run.assertLease(trx)
      await change(trx)
    })
  try {
    await remove(creation, key)
  } catch (error) {
    run.signal.throwIfAborted()
    if (!(error instanceof CloudUnavailable || error instanceof CloudBusy)) throw error
    const delay = retryDelay(tries, error.retryAfter) * pollScale(ctx.config)
    return write((trx) => enqueueProvision(ctx, trx, server, { tries: tries + 1, delay }))
  }
  await write((trx) => updateCloudServer(trx, workspaceId, id, { cloud_key_id: null }))
}

async function remove({ ctx, run, cloud, provider }: Creation, key: string): Promise<void> {
  const { workspace_id: workspaceId, server_id: id, cloud_token_id: tokenId } = cloud
  const token = tokenId === null ? undefined : await findCloudToken(ctx, workspaceId, tokenId)
  try {
    if (token) await provider.removeKey(toProviderAccount(ctx, token, run.signal), key)
  } catch (error) {
    if (!isTokenRejection(error)) throw error
    ctx.log.info(
      { server: id },
      'Left the SSH key of a server at the cloud provider, which rejects the token.',
    )
  }
}
