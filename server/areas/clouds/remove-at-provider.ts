import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { CloudRefused, MissingPermission } from '../providers/cloud-errors.ts'
import type { Account, CloudServer, Provider } from '../providers/provider.ts'
import type { ServerRow } from '../servers/server.ts'
import { pollScale } from './timings.ts'
import type { CloudServerRow } from './store.ts'

const lookEvery = 2_000
const looks = 15

/** A server, and where it is. */
interface ServerAtProvider {
  provider: Provider
  account: Account
  server: ServerRow
  cloud: CloudServerRow
}

/**
 * Destroys all servers with the tag and returns their IDs; nothing while some still exist. `mustGo` is called
 * before each deletion and throws if the server is to be kept.
 */
export async function removeServersAtProvider(
  ctx: Context,
  there: ServerAtProvider,
  signal: AbortSignal,
  mustGo: () => Promise<void>,
): Promise<Set<string> | undefined> {
  const { provider, account, server } = there
  const asked = new Set<string>()
  for (let look = 0; look < looks; look++) {
    const left = await findLeft(there)
    if (left.length === 0) return asked
    // Providers reject a second deletion while the first is in progress.
    for (const { id } of left.filter((one) => one.status !== 'deleted' && !asked.has(one.id))) {
      await mustGo()
      await provider.destroyServer(account, id)
      asked.add(id)
      ctx.log.info(
        { server: server.id, provider: provider.id, id },
        'Destroyed a server at its cloud provider.',
      )
    }
    await sleep(lookEvery * pollScale(ctx.config), undefined, { signal })
  }
  return undefined
}

async function findLeft({
  provider,
  account,
  server,
  cloud: { cloud_id },
}: ServerAtProvider): Promise<CloudServer[]> {
  const marked = await provider.listServers(account, server.id)
  if (cloud_id === null || marked.some(({ id }) => id === cloud_id)) return marked
  const known = await provider.findServer(account, cloud_id)
  return known ? [...marked, known] : marked
}

/** Best effort: a leftover key costs nothing and is useless without its private key. */
export async function removeKeyAtProvider(ctx: Context, there: ServerAtProvider): Promise<void> {
  const { provider, account, server } = there
  try {
    const id = await findKey(there)
    if (id !== undefined) await provider.removeKey(account, id)
  } catch (error) {
    if (!(error instanceof CloudRefused || error instanceof MissingPermission)) throw error
    ctx.log.info(
      { server: server.id, why: error.message },
      'Left the SSH key of a server at its cloud provider.',
    )
  }
}

/** An interrupted upload may have left the key without a saved ID. */
async function findKey({ provider, account, server, cloud }: ServerAtProvider): Promise<string | undefined> {
  if (cloud.cloud_key_id !== null) return cloud.cloud_key_id
  if (cloud.step !== 'key' || server.public_key === null) return undefined
  return provider.findKey(account, server.public_key)
}
