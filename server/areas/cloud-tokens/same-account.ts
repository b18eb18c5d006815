import { conflict, Invalid } from '../../errors.ts'
import type { Db } from '../../tables.ts'
import type { Account, Provider } from '../providers/provider.ts'
import type { CloudTokenRow } from './cloud-token.ts'
import { hasStrays, lockServersOf, type SeenThrough } from './store.ts'

/** What a token is needed for, as far as another account in its place would lose sight of it. */
interface Needed {
  servers: SeenThrough[]
  /** What the provider calls them, and others that carry their marks. */
  known: string[]
  /** Those of which something may be at the cloud that nobody knows the id of. */
  open: SeenThrough[]
  strays: boolean
}

async function readNeeded(db: Db, { workspace_id, id }: CloudTokenRow): Promise<Needed> {
  const all = await lockServersOf(db, workspace_id, id)
  const servers = all.filter((one) => one.cloud_status !== 'deleted' || one.duplicates.length > 0)
  return {
    servers,
    known: servers.flatMap(({ cloud_id, duplicates }) => [cloud_id ?? [], duplicates].flat()),
    open: servers.filter(isOpen),
    strays: await hasStrays(db, workspace_id, id),
  }
}

/** It was asked for, or is about to be: its key is there before that. */
const isOpen = ({ cloud_id, cloud_key_id, asked_at }: SeenThrough) =>
  cloud_id === null && (cloud_key_id !== null || asked_at !== null)

/** Whether another account could come in its place without anything being lost. */
const isFree = ({ known, open, strays }: Needed) => known.length === 0 && open.length === 0 && !strays

/**
 * Servers that are seen through a token would be taken for deleted if another account came in its place, and what was asked for
 * would be made twice, or be forgotten while it runs. Which account it is shows best in what is there, as some providers do not
 * say it; one thing that is known is enough, as others may be gone by now. False where there is nothing to know it by, nor to lose.
 */
export async function mustBeSameAccount(
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

async function isKnownThere(provider: Provider, account: Account, { servers, known, open }: Needed) {
  const ours = new Set<string>(servers.map(({ id }) => id))
  const there = await provider.listServers(account)
  if (there.some(({ id, madeFor }) => known.includes(id) || (madeFor !== null && ours.has(madeFor))))
    return true
  for (const { public_key } of open)
    if (public_key !== null && (await provider.findKey(account, public_key)) !== undefined) return true
  return false
}

/** For one that may be of another account, as it takes the place of the other: something may have begun since that was looked at. */
export async function mustStillBeFree(db: Db, row: CloudTokenRow): Promise<void> {
  const needed = await readNeeded(db, row)
  if (isFree(needed)) return
  throw conflict(
    'cloud_token_in_use',
    `A server is being created with ${row.name}, so the token was not replaced. Try again in a moment.`,
  )
}

function otherAccount({ name }: CloudTokenRow, provider: Provider, servers: SeenThrough[]): Invalid {
  const through = servers.length === 0 ? '' : `, which manages ${some(servers)}`
  return new Invalid({
    token: [
      `This token belongs to another ${provider.name} account than the token ${name}${through}. Add it as a new token.`,
    ],
  })
}

function unproven({ name }: CloudTokenRow, provider: Provider, open: SeenThrough[]): Invalid {
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

function some(servers: SeenThrough[]): string {
  const first = servers.slice(0, 3).map(({ name }) => name)
  const more = servers.length > 3 ? ` and ${servers.length - 3} more` : ''
  return `${first.join(', ')}${more}`
}
