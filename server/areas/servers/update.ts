import type { Id } from '../../../contract/ids.ts'
import type { Context } from '../../context.ts'
import { conflict, Invalid, serverChanged } from '../../errors.ts'
import { emit } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import { scanHostKeys } from '../../remote/ssh/scan.ts'
import type { Actor } from '../../route.ts'
import { changed } from './connect.ts'
import { movedSince } from './reasons.ts'
import { getServerRow, present, type ServerRow } from './server.ts'
import { lockServerRow, updateServerRow } from './store.ts'

interface Changes {
  name?: string | undefined
  address?: string | undefined
  port?: number | undefined
  user?: string | undefined
  labels?: string[] | undefined
  http_port?: number | undefined
  https_port?: number | undefined
}

/** Ports of the proxy are only noted: the next set-up applies them. */
export async function updateServer(ctx: Context, actor: Actor, id: Id<'server'>, given: Changes) {
  const server = await getServerRow(ctx, actor, id)
  if (server.kind === 'local') refuseToMove(given)
  const wanted = wantedOf(server, given)
  if (wanted.http_port === wanted.https_port)
    throw new Invalid({ https_port: ['Must be another port than that for HTTP.'] })
  if (isSame(server, wanted)) return present(server)
  const reach = await reachOf(server, wanted)
  const row = await transaction(ctx.db, async (trx) => {
    const now = changed(await lockServerRow(trx, server.workspace_id, id))
    if (reach.version !== undefined && now.version !== server.version) throw serverChanged(server.name)
    await emit(trx, actor, server.workspace_id, 'server.updated', {
      kind: 'server',
      id,
      name: wanted.name,
    })
    return changed(await updateServerRow(trx, server.workspace_id, id, { ...wanted, ...reach }))
  })
  return present(row)
}

function refuseToMove(given: Changes): void {
  const fields = (['address', 'port', 'user'] as const).filter((field) => given[field] !== undefined)
  const sentence = 'Cannot be changed: Slipway runs on this machine and does not use SSH for it.'
  if (fields.length > 0) throw new Invalid(Object.fromEntries(fields.map((field) => [field, [sentence]])))
}

const wantedOf = (server: ServerRow, given: Changes) => ({
  name: given.name ?? server.name,
  address: given.address ?? server.address,
  port: given.port ?? server.port,
  username: given.user ?? server.username,
  labels: given.labels ?? server.labels,
  http_port: given.http_port ?? server.http_port,
  https_port: given.https_port ?? server.https_port,
})

type Wanted = ReturnType<typeof wantedOf>

const isSame = (server: ServerRow, wanted: Wanted) =>
  Object.entries(wanted).every(
    ([field, value]) => JSON.stringify(value) === JSON.stringify(Object(server)[field]),
  )

/** What follows when it is reached in another way: a machine elsewhere counts as the same only by its host key. */
async function reachOf(server: ServerRow, wanted: Wanted): Promise<Partial<ServerRow>> {
  const moved = wanted.address !== server.address || wanted.port !== server.port
  if (!moved && wanted.username === server.username) return {}
  if (server.status === 'setting_up')
    throw conflict(
      'setting_up',
      `The server ${server.name} is being set up. Change how it is reached when that has ended.`,
    )
  const version = server.version + 1
  if (!moved || (await showsPinned(server, wanted))) return { version }
  if (server.host_keys.length === 0) return { version, offered_host_key: null }
  return { version, host_keys: [], offered_host_key: null, status: 'pending', reason: movedSince }
}

/** Long enough for one that is there; a person waits. */
const LIMIT = 4_000

async function showsPinned({ host_keys: pinned }: ServerRow, { address, port }: Wanted): Promise<boolean> {
  if (pinned.length === 0 || address === null) return false
  const shown = await scanHostKeys(address, port, AbortSignal.timeout(LIMIT)).catch(() => [])
  return shown.some((key) => pinned.includes(key))
}
