import { setTimeout as sleep } from 'node:timers/promises'
import { toProviderAccount } from '../../cloud-tokens/cloud-token.ts'
import type { CloudServer } from '../../providers/provider.ts'
import {
  type Creation,
  CreationFailed,
  pollScale,
  reloadCreation,
  saveCreationProgress,
  visibilityDelayMs,
} from '../creation.ts'
import { callProvider, readCreationToken } from '../call-provider.ts'
import { deletedAtProviderMessage, notConnectedMessage, notStartedMessage } from '../failure-messages.ts'
import { listTaggedServers } from './create-at-provider.ts'

/** Milliseconds between checks of the row, and checks per provider request. */
const TICK = 1_000
const TICKS = { boot: 3, call: 5 }

export const waitUntilBooted = (creation: Creation) =>
  follow(creation, 'boot', async (seen) => {
    if (seen.status !== 'running' || seen.address === null) return false
    await saveCreationProgress(creation, {
      cloud: { ...seenOf(creation, seen), step: 'call', waited_seconds: 0 },
      server: { address: seen.address },
    })
    return true
  })

export const waitUntilConnected = (creation: Creation) =>
  follow(creation, 'call', async (seen) => {
    if (seen.address !== null && seen.address !== creation.cloud.address)
      await saveCreationProgress(creation, {
        cloud: seenOf(creation, seen),
        server: { address: seen.address },
      })
    return false
  })

async function follow(
  creation: Creation,
  step: 'boot' | 'call',
  isDone: (seen: CloudServer) => Promise<boolean>,
): Promise<void> {
  const { ctx, run } = creation
  let missing: number | undefined
  for (;;) {
    const { seen, others } = await look(creation)
    creation.tries = 0
    missing = seen ? undefined : (missing ?? performance.now())
    // Lists may lag behind creation, and some providers do not find a new server by ID at first.
    if (missing !== undefined && performance.now() - missing >= visibilityDelayMs(ctx.config))
      return replace(creation, others)
    if (seen && (await isDone(seen))) return
    await count(creation, step, seen)
    for (let ticks = 0; ticks < TICKS[step]; ticks++) {
      await sleep(TICK * pollScale(ctx.config), undefined, { signal: run.signal })
      await reloadCreation(creation)
    }
  }
}

/** Adopts another server with the same tag if the known one is gone. */
async function replace(creation: Creation, [other]: CloudServer[]): Promise<void> {
  if (!other) throw new CreationFailed(deletedAtProviderMessage(creation.cloud), unmade)
  await saveCreationProgress(creation, {
    cloud: { ...seenOf(creation, other), cloud_id: other.id, step: 'boot', waited_seconds: 0 },
    server: { address: other.address },
  })
}

const unmade = { step: 'create', cloud_id: null, asked_at: null, address: null, status: 'unknown' } as const

/** Destroys other servers with the same tag: a stalled attempt created them. */
async function look(creation: Creation): Promise<{ seen: CloudServer | undefined; others: CloudServer[] }> {
  const { cloud_id: id } = creation.cloud
  const all = await listTaggedServers(creation)
  const others = all.filter((made) => made.id !== id)
  const known = all.find((made) => made.id === id)
  if (known) for (const other of others) await drop(creation, other)
  if (known || id === null) return { seen: known, others }
  const server = await callProvider(creation, (provider, account) => provider.findServer(account, id))
  return { seen: server?.status === 'deleted' ? undefined : server, others }
}

async function drop(creation: Creation, { id }: CloudServer): Promise<void> {
  const { ctx, cloud, provider } = creation
  // The save throws if another worker has taken over.
  await saveCreationProgress(creation, {})
  try {
    await provider.destroyServer(
      toProviderAccount(ctx, await readCreationToken(creation), creation.run.signal),
      id,
    )
    ctx.log.warn({ server: cloud.server_id, cloud_id: id }, 'Destroyed a duplicate server')
  } catch (error) {
    ctx.log.warn(
      { server: cloud.server_id, cloud_id: id, reason: String(error) },
      'Failed to destroy a duplicate server',
    )
  }
}

const seenOf = ({ ctx }: Creation, { status, address, price }: CloudServer) => ({
  status,
  address,
  seen_at: ctx.now(),
  ...(price && { price_monthly: price.monthly, currency: price.currency }),
})

/** Adds the time since the last successful response; provider outages do not count against the server. */
async function count(
  creation: Creation,
  step: 'boot' | 'call',
  seen: CloudServer | undefined,
): Promise<void> {
  const { config } = creation.ctx
  const now = performance.now()
  const seconds = creation.heard === undefined ? 0 : (now - creation.heard) / 1_000
  creation.heard = now
  const waited_seconds = creation.cloud.waited_seconds + seconds
  const isNew = seen && (seen.status !== creation.cloud.status || seen.address !== creation.cloud.address)
  await saveCreationProgress(creation, {
    cloud: { waited_seconds, ...(isNew ? seenOf(creation, seen) : { seen_at: creation.ctx.now() }) },
  })
  if (waited_seconds < config.CLOUD_TIMEOUT) return
  const { cloud, server } = creation
  throw new CreationFailed(
    step === 'boot' ? notStartedMessage(config, cloud) : notConnectedMessage(config, cloud, server.reason),
  )
}
