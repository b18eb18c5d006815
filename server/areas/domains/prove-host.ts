import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Db } from '../../tables.ts'
import { hasTxtRecord, type HostProof, noteProof, txtRecordOf } from '../applications/hosts/host-names.ts'
import { findPointing, ownAddresses } from '../applications/hosts/points-here.ts'
import { provenAddress } from '../servers/proven-address.ts'
import type { ServerRow } from '../servers/server.ts'
import { webPortsOf } from '../servers/web-ports.ts'
import { type ClaimedHost, probe } from './challenges.ts'
import { NotYet } from './not-issued.ts'
import { listServersOf } from './store.ts'

export interface Evidence {
  /** How the workspace has proven that it controls the name; undefined while it has not. */
  proof: HostProof | undefined
  /** Addresses that the name leads to. */
  addresses: string[]
  /** Why no server of the workspace proves it, and what to do, as a sentence. */
  problem: string
  /** The DNS leads to something else than a server of the workspace, so only a TXT record can prove it. */
  needsTxt: boolean
}

/**
 * Looks whether the workspace controls a name: its DNS leads to an address where Slipway has logged in to one of these servers, and
 * the proxy there answers what was handed to it just now; or a TXT record names the workspace. That some proxy of this Slipway
 * answers is no proof.
 */
export async function proveHost(
  ctx: Context,
  claimed: ClaimedHost,
  servers: readonly ServerRow[],
): Promise<Evidence> {
  const reasons: (Omit<Evidence, 'proof'> & { isHere: boolean })[] = []
  const signal = dnsDeadline(ctx)
  for (const server of servers) {
    const { addresses, says } = await findPointing(ctx, server, claimed.host, signal)
    const at = await findProven(ctx, server, addresses, signal)
    const problem = at
      ? await whySilent(ctx, claimed, server, at)
      : (says ?? notLoggedIn(server.name, claimed.host))
    if (problem === undefined) return { proof: 'server', addresses, problem: '', needsTxt: false }
    const isHere = at !== undefined
    reasons.push({ addresses, problem, isHere, needsTxt: !isHere && addresses.length > 0 })
  }
  const [first] = reasons.toSorted((one, other) => Number(other.isHere) - Number(one.isHere))
  const proof = (await hasTxtRecord(ctx, claimed.workspace_id, claimed.host, signal)) ? 'dns_txt' : undefined
  return {
    proof,
    addresses: first?.addresses ?? [],
    problem: first?.problem ?? `No application uses ${claimed.host} any more.`,
    needsTxt: first?.needsTxt ?? false,
  }
}

/** For all look-ups of one check: whoever runs slow name servers decides how many there are. */
const dnsDeadline = ({ config }: Context) => AbortSignal.timeout(config.OUTSIDE_TIMEOUT * 1000)

/**
 * Whether the holder of a name serves it on the machine of this server, or where its DNS leads. Then that server proves nothing to
 * another workspace: both use the same proxy, and the holder came first.
 */
export async function isServedBy(ctx: Context, holder: ClaimedHost, server: ServerRow): Promise<boolean> {
  const servers = await listServersOf(ctx.db, holder.workspace_id, holder.host, { https: false })
  if (servers.some(({ machine }) => machine !== null && machine === server.machine)) return true
  const signal = dnsDeadline(ctx)
  for (const other of servers) {
    const { addresses } = await findPointing(ctx, other, holder.host, signal)
    if (await findProven(ctx, other, addresses, signal)) return true
  }
  return false
}

/**
 * The one of these addresses at which Slipway has logged in to the server. An address that was merely typed counts for nothing, and
 * neither does what a name of the server resolves to now.
 */
async function findProven(
  ctx: Context,
  server: ServerRow,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const proven = server.kind === 'local' ? await ownAddresses(ctx, server, signal) : [provenAddress(server)]
  return addresses.find((address) => proven.includes(address))
}

const notLoggedIn = (name: string, host: string) =>
  `Slipway has not logged in to ${name} at the address that ${host} points to. Connect the server first.`

async function whySilent(
  ctx: Context,
  claimed: ClaimedHost,
  server: ServerRow,
  at: string,
): Promise<string | undefined> {
  const { http_port: port } = webPortsOf(server)
  if (port !== 80) return unprovable(server.name, port, claimed)
  try {
    const why = await probe(ctx, claimed, [server], [server.kind === 'local' ? '127.0.0.1' : at])
    return why === undefined
      ? undefined
      : `${claimed.host} points to ${server.name}, but its proxy cannot be reached on port 80: ${why}. Check the server's firewall, and that its set-up went well.`
  } catch (error) {
    if (error instanceof NotYet) return error.message
    throw error
  }
}

export const otherPort = (name: string, port: number) =>
  `The proxy of ${name} listens on port ${port}, and a certificate authority comes to port 80 only. Change the server's HTTP port to 80 and set it up again, or upload a certificate.`

function unprovable(name: string, port: number, { workspace_id, host }: ClaimedHost): string {
  const record = txtRecordOf(workspace_id, host)
  return `${host} points to ${name}, whose proxy listens on port ${port}, and domains are verified on port 80. Change the server's HTTP port to 80 and set it up again, or create the TXT record ${record.name} with the value ${record.value}.`
}

/** Keeps what a check found. False when the workspace does not hold the name any more. */
export async function noteEvidence(
  db: Db,
  { workspace_id, host }: ClaimedHost,
  { proof, problem, needsTxt }: Evidence,
): Promise<boolean> {
  if (proof) return noteProof(db, workspace_id, host, proof)
  const { numUpdatedRows } = await db
    .updateTable('host_names')
    .set({
      problem,
      needs_txt: needsTxt,
      checked_at: sql<Date>`now()`,
      failing_since: sql<Date | null>`case when verified_at is not null then coalesce(failing_since, now()) end`,
    })
    .where('workspace_id', '=', workspace_id)
    .where('host', '=', host)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
