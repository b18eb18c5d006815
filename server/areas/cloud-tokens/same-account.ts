import { conflict, Invalid } from '../../errors.ts'
import type { Db } from '../../tables.ts'
import type { Account, Provider } from '../providers/provider.ts'
import type { CloudTokenRow } from './cloud-token.ts'
import { hasOrphanJobs, lockTokenServers, type TokenServer } from './store.ts'

interface TokenUse {
  servers: TokenServer[]
  known: string[]
  open: TokenServer[]
  strays: boolean
}

async function readNeeded(db: Db, { workspace_id, id }: CloudTokenRow): Promise<TokenUse> {
  const all = await lockTokenServers(db, workspace_id, id)
  const servers = all.filter((one) => one.cloud_status !== 'deleted' || one.duplicates.length > 0)
  return {
    servers,
    known: servers.flatMap(({ cloud_id, duplicates }) => [cloud_id ?? [], duplicates].flat()),
    open: servers.filter(isOpen),
    strays: await hasOrphanJobs(db, workspace_id, id),
  }
}

/** The key is uploaded before the create request, so a key means that a server may exist. */
const isOpen = ({ cloud_id, cloud_key_id, asked_at }: TokenServer) =>
  cloud_id === null && (cloud_key_id !== null || asked_at !== null)

const isFree = ({ known, open, strays }: TokenUse) => known.length === 0 && open.length === 0 && !strays

/**
 * Refuses a token of another account: its servers would look deleted, and open creations would be repeated or
 * lost. Identifies the account by its servers and keys, because some providers do not report it. Returns
 * false if nothing identifies the account and nothing can be lost.
 */
export async function assertSameAccount(
  provider: Provider,
  account: Account,
  row: CloudTokenRow,
  name: string | null,
): Promise<boolean> {
  const needed = await readNeeded(account.ctx.db, row)
  const isNamedSo = name !== null && name === row.account
  const isNamedOtherwise = name !== null && row.account !== null && name !== row.account
  if (isFree(needed)) {
    if (needed.servers.length > 0 && isNamedOtherwise) throw otherAccount(row, provider, needed.servers)
    return isNamedSo
  }
  if (await isKnownThere(provider, account, needed)) return true
  if (needed.known.length === 0 && isNamedSo) return true
  const { open } = needed
  if (needed.known.length > 0 || isNamedOtherwise) throw otherAccount(row, provider, needed.servers)
  throw unproven(row, provider, open)
}

async function isKnownThere(provider: Provider, account: Account, { servers, known, open }: TokenUse) {
  const ours = new Set<string>(servers.map(({ id }) => id))
  const there = await provider.listServers(account)
  if (there.some(({ id, madeFor }) => known.includes(id) || (madeFor !== null && ours.has(madeFor))))
    return true
  for (const { public_key } of open)
    if (public_key !== null && (await provider.findKey(account, public_key)) !== undefined) return true
  return false
}

/** Checks again under the lock: a creation may have started meanwhile. */
export async function assertStillReplaceable(db: Db, row: CloudTokenRow): Promise<void> {
  const needed = await readNeeded(db, row)
  if (isFree(needed)) return
  throw conflict(
    'cloud_token_in_use',
    `A server is being created with ${row.name}, so the token was not replaced. Try again in a moment.`,
  )
}

function otherAccount({ name }: CloudTokenRow, provider: Provider, servers: TokenServer[]): Invalid {
  const through = servers.length === 0 ? '' : `, which manages ${some(servers)}`
  return new Invalid({
    token: [
      `This token belongs to another ${provider.name} account than the token ${name}${through}. Add it as a new token.`,
    ],
  })
}

function unproven({ name }: CloudTokenRow, provider: Provider, open: TokenServer[]): Invalid {
  const [what, then] =
    open.length === 0
      ? ['an orphaned server must still be destroyed with that token', 'Wait until it is destroyed']
      : [
          `it is not known yet whether ${some(open)} ${open.length === 1 ? 'was' : 'were'} created with that token`,
          `Wait until this is certain, or delete ${open.length === 1 ? 'that server' : 'those servers'} first`,
        ]
  return new Invalid({
    token: [
      `Slipway cannot verify that this token belongs to the same ${provider.name} account as ${name}, and ${what}. ${then}, or add this as a new token.`,
    ],
  })
}

function some(servers: TokenServer[]): string {
  const first = servers.slice(0, 3).map(({ name }) => name)
  const more = servers.length > 3 ? ` and ${servers.length - 3} more` : ''
  return `${first.join(', ')}${more}`
}
