import type { z } from 'zod'
import { type Id } from '../../../contract/shared/ids.ts'
import { name } from '../../../contract/shared/text-fields.ts'
import type { importAccountServers } from '../../../contract/providers.ts'
import type { Context } from '../../context.ts'
import { conflict, Invalid, notFound } from '../../errors.ts'
import { errorCode } from '../../platform/db.ts'
import { newId } from '../../platform/ids.ts'
import { formatList } from '../../../contract/shared/format-list.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import type { Trx } from '../../tables.ts'
import { findImportedServers } from '../cloud-tokens/account-servers.ts'
import {
  toProviderAccount,
  type CloudTokenRow,
  getCloudTokenRow,
  getProvider,
  lockCloudToken,
} from '../cloud-tokens/cloud-token.ts'
import { isTokenRejection, markTokenRejected } from '../cloud-tokens/token-status.ts'
import type { CloudServer, Provider } from '../providers/provider.ts'
import { addServer } from '../servers/create-server.ts'
import { newServerKeys } from '../servers/server-host.ts'
import { importCommandPending } from '../servers/status-reasons.ts'
import type { ServerRow } from '../servers/server.ts'
import { presentServer } from '../servers/present-server.ts'
import { assertPlanLimit } from '../workspaces/plan-limits.ts'
import { insertCloudServer } from './store.ts'

type AccountServerSelection = z.output<(typeof importAccountServers)['body']>
type Placed = CloudServer & { address: string }

/** Imports servers of an account, all or none. Nothing changes at the provider. */
export async function importServers(
  ctx: Context,
  actor: Actor,
  p: string,
  given: AccountServerSelection,
  signal: AbortSignal,
) {
  const provider = getProvider(p)
  const token = await getCloudTokenRow(ctx, actor, given.cloud_token_id)
  if (token.provider !== p)
    throw new Invalid({
      cloud_token_id: [`Must be a token for ${provider.name}; this one is for another provider.`],
    })
  const there = await list(ctx, provider, token, signal)
  const picked = choose(provider, there, given.servers)
  const rows = await transaction(ctx.db, async (trx) => {
    if (!(await lockCloudToken(trx, token.workspace_id, token.id))) throw notFound('This cloud token')
    await mustBeNew(ctx, trx, actor, provider, picked)
    const added: ServerRow[] = []
    for (const one of picked) added.push(await add(ctx, trx, actor, token, one))
    return added
  }).catch((error: unknown) => {
    throw errorCode(error) === '23505' ? pickedMeanwhile() : error
  })
  return Promise.all(rows.map((row) => presentServer(ctx, row)))
}

async function list(ctx: Context, provider: Provider, token: CloudTokenRow, signal: AbortSignal) {
  try {
    return await provider.listServers(toProviderAccount(ctx, token, signal))
  } catch (error) {
    if (isTokenRejection(error)) await markTokenRejected(ctx, token, error.message)
    throw error
  }
}

function choose({ name }: Provider, there: CloudServer[], ids: string[]): Placed[] {
  const chosen = ids.map((id) => {
    const found = there.find((server) => server.id === id && server.status !== 'deleted')
    if (!found) return `The account at ${name} has no server ${id}. Refresh the list.`
    const { address, status } = found
    if (status === 'stopped')
      return `The server ${found.name} is powered off at ${name}. Start it there first.`
    return address === null
      ? `The server ${found.name} has no public address at ${name}. Assign one there first.`
      : { ...found, address }
  })
  const problems = chosen.flatMap((one, nth) => (typeof one === 'string' ? [[`servers.${nth}`, [one]]] : []))
  if (problems.length > 0) throw new Invalid(Object.fromEntries(problems))
  return chosen.filter((item) => typeof item !== 'string')
}

async function mustBeNew(ctx: Context, trx: Trx, actor: Actor, provider: Provider, picked: Placed[]) {
  const here = await findImportedServers({ ...ctx, db: trx }, actor.workspace.id, provider.id, picked)
  const known = picked.flatMap(({ id, name }) => {
    const server = here.get(id)
    return server ? [server.name === name ? name : `${name} (as ${server.name})`] : []
  })
  if (known.length > 0)
    throw conflict(
      'already_here',
      `Already in this workspace: ${formatList(known)}. Deselect ${known.length === 1 ? 'it' : 'them'}.`,
    )
}

const pickedMeanwhile = () =>
  conflict('already_here', 'One of these servers was just added to this workspace. Refresh the list.')

async function add(
  ctx: Context,
  trx: Trx,
  actor: Actor,
  { id: cloud_token_id, provider }: CloudTokenRow,
  picked: Placed,
): Promise<ServerRow> {
  const { id: workspace_id } = actor.workspace
  const id: Id<'server'> = newId('server')
  const { address, region, type, image, price, status } = picked
  await assertPlanLimit(ctx, trx, workspace_id, 'servers')
  const row = await addServer(trx, actor, 'server.created', {
    id,
    workspace_id,
    name: name().safeParse(picked.name.slice(0, 100)).data ?? address,
    address,
    status: 'pending',
    reason: importCommandPending,
    ...newServerKeys(ctx, id),
    provider,
    region,
    type,
  })
  await insertCloudServer(trx, {
    server_id: id,
    workspace_id,
    cloud_token_id,
    provider,
    origin: 'imported',
    cloud_id: picked.id,
    image_name: image,
    price_monthly: price?.monthly ?? null,
    currency: price?.currency ?? null,
    status,
    address,
    seen_at: ctx.now(),
  })
  return row
}
