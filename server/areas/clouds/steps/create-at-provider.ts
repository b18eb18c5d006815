import { setTimeout as sleep } from 'node:timers/promises'
import { serviceTimedOut } from '../../../errors.ts'
import { createCloudImportToken, deleteCloudImportToken } from '../../imports/import-token.ts'
import { type CloudTokenRow, isCurrentToken, toProviderAccount } from '../../cloud-tokens/cloud-token.ts'
import {
  CloudBusy,
  CloudRefused,
  CloudUnavailable,
  MissingPermission,
  TokenRefused,
} from '../../providers/cloud-errors.ts'
import type { CloudServer } from '../../providers/provider.ts'
import {
  createTimeoutMs,
  type Creation,
  CreationChanged,
  CreationFailed,
  pollScale,
  readCreation,
  saveCreationProgress,
  visibilityDelayMs,
} from '../creation.ts'
import {
  callProvider,
  readCreationToken,
  retryDelay,
  RetryProvisioningLater,
  toRetry,
} from '../call-provider.ts'
import { creationFailedMessage, rejectedMessage } from '../failure-messages.ts'
import { lockCloudServer, markCreated, markRequested, requestedAgoMs, updateCloudServer } from '../store.ts'
import { readScript } from '../../../platform/read-script.ts'
import { quoteForShell } from '../../../remote/command.ts'
import { changeServer, lockServer, type ServerRow } from '../../servers/server.ts'
import { nudge } from '../../../events.ts'
import { transaction } from '../../../platform/transaction.ts'
import { enqueueOrphan } from '../orphans.ts'

const keyTries = 3
const lookAgain = 5_000

/** Creates the server exactly once. If a crashed attempt left a server with its tag, that server is adopted. */
export async function createAtProvider(creation: Creation): Promise<void> {
  const { run, tries } = creation
  const { made: found, left } = await findMade(creation)
  // After an internal error, keep the job: a new one would lose the attempt count.
  if (left > 0 && run.attempt === 1) throw new RetryProvisioningLater(Math.min(left, lookAgain), { tries })
  const late = left > 0 ? await waitForMade(creation) : undefined
  const made = found ?? late ?? (await requestCreation(creation))
  if (made) await saveCreatedServer(creation, made)
}

interface SearchResult {
  made: CloudServer | undefined
  /** Milliseconds during which a requested server may still appear. */
  left: number
}

async function findMade(creation: Creation): Promise<SearchResult> {
  const { ctx, server } = creation
  const [made] = await listTaggedServers(creation)
  const ago = made ? null : await requestedAgoMs(ctx.db, server.workspace_id, server.id)
  return { made, left: ago === null ? 0 : Math.max(0, visibilityDelayMs(ctx.config) - ago) }
}

export async function listTaggedServers(creation: Creation): Promise<CloudServer[]> {
  const all = await callProvider(creation, (provider, account) =>
    provider.listServers(account, creation.server.id),
  )
  const age = (made: CloudServer) => made.created_at?.getTime() ?? Infinity
  return all.filter(({ status }) => status !== 'deleted').toSorted((a, b) => age(a) - age(b))
}

async function requestCreation(creation: Creation): Promise<CloudServer | undefined> {
  const { ctx, cloud, server, provider } = creation
  const wasOpen = cloud.asked_at !== null
  const token = await readCreationToken(creation)
  const wanted = wantedOf(creation)
  const line = await writeAsked(creation, token)
  // The request cannot be aborted, because its outcome must be known.
  const end = AbortSignal.timeout(createTimeoutMs(ctx.config))
  try {
    const userData = userDataFor(line.url)
    return await provider.createServer(toProviderAccount(ctx, token, end), { ...wanted, userData })
  } catch (error) {
    // The name may be taken by the server that an earlier request created.
    const isOpen = !isAnswer(error) || (wasOpen && isRefused(error, 'name_taken'))
    await saveCreationProgress(creation, isOpen ? {} : { cloud: { asked_at: null } }, (trx) =>
      isOpen
        ? markRequested(trx, server.workspace_id, server.id, 0)
        : deleteCloudImportToken(trx, server.workspace_id, line.hash),
    )
    if (!(error instanceof CloudRefused))
      throw await toRetry(creation, token, error === end.reason ? tooSlow(provider.name) : error)
    // A new key may not be visible everywhere yet.
    if (error.why === 'no_key' && creation.tries < keyTries)
      throw new RetryProvisioningLater(retryDelay(creation.tries))
    if (!isOpen || !(await waitForMade(creation)))
      throw new CreationFailed(rejectedMessage(error.message), { asked_at: null })
    return undefined
  }
}

/** Any other error leaves open whether the server was created. */
const isAnswer = (error: unknown) =>
  [CloudRefused, CloudBusy, TokenRefused, MissingPermission].some((answer) => error instanceof answer)

const isRefused = (error: unknown, reason: CloudRefused['why']) =>
  error instanceof CloudRefused && error.why === reason

function tooSlow(name: string): CloudUnavailable {
  const { status, code, message } = serviceTimedOut(name)
  return new CloudUnavailable(status, code, message)
}

async function waitForMade(creation: Creation): Promise<CloudServer | undefined> {
  for (;;) {
    const { made, left } = await findMade(creation)
    if (left === 0) return made
    const pause = Math.min(left, lookAgain * pollScale(creation.ctx.config))
    await sleep(pause, undefined, { signal: creation.run.signal })
  }
}

function wantedOf({ server, cloud }: Creation) {
  const { region, type } = server
  const { image, cloud_key_id: keyId } = cloud
  if (region === null || type === null || image === null || keyId === null)
    throw new CreationFailed(
      creationFailedMessage(cloud, 'The configuration of the server to create is missing.'),
    )
  return { name: toHostName(server), region, type, image, keyId, serverId: server.id }
}

/** Saves the create request before it is sent, so that the next worker knows about it. */
async function writeAsked(creation: Creation, token: CloudTokenRow): Promise<{ url: string; hash: string }> {
  const { ctx, server } = creation
  const requested = { line: { url: '', hash: '' }, cloud: creation.cloud }
  await saveCreationProgress(creation, {}, async (trx) => {
    // With a token of another account, the created server could not be found.
    if (!(await isCurrentToken(trx, token))) throw new CreationChanged()
    requested.line = await createCloudImportToken(ctx, trx, server)
    requested.cloud = await markRequested(trx, server.workspace_id, server.id, createTimeoutMs(ctx.config))
  })
  creation.cloud = requested.cloud
  return requested.line
}

const userDataFor = (url: string): string =>
  `#!/bin/sh\nslipway_url=${quoteForShell([url])}\n${readScript('cloud-first-boot.sh')}`

const longest = 63

export function toHostName({ id, name }: Pick<ServerRow, 'id' | 'name'>): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, longest)
    .replace(/-+$/, '')
  // Some providers treat a numeric name as a number.
  return /[a-z]/.test(plain) ? plain : `server-${plain || id.slice(-8)}`.slice(0, longest)
}

/**
 * Saves the server even if it is to be destroyed by now, so that it can be. If another worker has taken over, `disown`
 * decides.
 */
async function saveCreatedServer(creation: Creation, made: CloudServer): Promise<void> {
  const { ctx, run, cloud } = creation
  const { workspace_id: workspaceId, server_id: id } = cloud
  try {
    await transaction(ctx.db, async (trx) => {
      await run.assertLease(trx)
      const server = await lockServer(trx, workspaceId, id)
      const now = await lockCloudServer(trx, workspaceId, id)
      if (!server || !now || now.step !== 'create') throw new CreationChanged()
      await updateCloudServer(trx, workspaceId, id, {
        cloud_id: made.id,
        asked_at: null,
        status: made.status,
        seen_at: ctx.now(),
        ...(made.price && { price_monthly: made.price.monthly, currency: made.price.currency }),
        ...(server.status === 'provisioning' && { step: 'boot', waited_seconds: 0 }),
      })
      await markCreated(trx, workspaceId, id)
      if (server.status === 'provisioning') await changeServer(trx, workspaceId, id, { reason: null })
      await nudge(trx, workspaceId, 'server.changed', id)
    })
  } catch (error) {
    await disown(creation, made)
    throw error
  }
}

/** Destroys the server, because it would be billed, unless a current creation can adopt it by its tag. */
async function disown({ ctx, run, cloud }: Creation, { id }: CloudServer): Promise<void> {
  const { workspace_id, server_id, cloud_token_id } = cloud
  const now = await readCreation(ctx, run, workspace_id, server_id)
  if (now?.cloud.cloud_id === id) return
  if (now?.server.status === 'provisioning' && now.cloud.cloud_id === null) return
  if (cloud_token_id !== null) await enqueueOrphan(ctx, { workspace_id, cloud_token_id, cloud_id: id })
}
