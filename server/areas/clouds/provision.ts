import type { Id } from '../../../contract/shared/ids.ts'
import type { cloudSteps } from '../../../contract/servers.ts'
import type { Context } from '../../context.ts'
import { emit } from '../../events.ts'
import { type JobRun, JobStopped } from '../../platform/jobs.ts'
import { Problem } from '../../errors.ts'
import { provisionAttempts } from '../servers/cloud-creation.ts'
import {
  type Creation,
  CreationChanged,
  CreationFailed,
  readCreation,
  saveCreationProgress,
} from './creation.ts'
import { callProvider, postponeCreation, RetryProvisioningLater } from './call-provider.ts'
import { creationFailedMessage } from './failure-messages.ts'
import { createAtProvider } from './steps/create-at-provider.ts'
import { waitUntilBooted, waitUntilConnected } from './steps/wait-until-connected.ts'

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
 * Creates a server at a cloud provider. Each step is saved when done and is idempotent, so another worker can resume
 * from the row.
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
    if (cloud.step === null || server.status !== 'provisioning') return
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

/** Returns undefined if the server has connected or been marked for destruction meanwhile. */
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

/** Uploads the SSH key to the provider for the duration of the creation. */
async function uploadKey(creation: Creation): Promise<void> {
  const { id, public_key: publicKey } = creation.server
  if (publicKey === null) throw new CreationFailed('The server has no SSH key. Delete it and create another.')
  const cloud_key_id = await callProvider(creation, (provider, account) =>
    provider.keepKey(account, { name: `slipway-${id}`, publicKey }),
  )
  await saveCreationProgress(creation, { cloud: { cloud_key_id, step: 'create' } })
}
