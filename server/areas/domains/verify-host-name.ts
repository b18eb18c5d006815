import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Db } from '../../tables.ts'
import { hasTxtRecord, type HostProof, saveProof, toTxtRecord } from '../applications/hosts/host-names.ts'
import { checkDnsTarget, findServerAddresses } from '../applications/hosts/dns.ts'
import { provenAddress } from '../servers/server-host.ts'
import { getWebPorts, type ServerRow } from '../servers/server.ts'
import { type ClaimedHost, probeChallenge } from './challenges.ts'
import { OrderPostponed } from './order-errors.ts'
import { listDomainServers } from './store.ts'

export interface HostEvidence {
  proof: HostProof | undefined
  addresses: string[]
  problem: string
  /** Whether DNS points elsewhere, so that only a TXT record can prove ownership. */
  needsTxt: boolean
}

/**
 * Checks whether the workspace controls a name: DNS points to an address where Slipway logged in to one of these
 * servers and its proxy serves a fresh token, or a TXT record names the workspace. A response of another
 * server's proxy proves nothing: its workspace may be another one.
 */
export async function verifyHostName(
  ctx: Context,
  claimed: ClaimedHost,
  servers: readonly ServerRow[],
): Promise<HostEvidence> {
  const reasons: (Omit<HostEvidence, 'proof'> & { isHere: boolean })[] = []
  const signal = dnsDeadline(ctx)
  for (const server of servers) {
    const { addresses, problem: dnsProblem } = await checkDnsTarget(ctx, server, claimed.host, signal)
    const address = await findProven(ctx, server, addresses, signal)
    const problem = address
      ? await findProbeProblem(ctx, claimed, server, address)
      : (dnsProblem ?? notLoggedIn(server.name, claimed.host))
    if (problem === undefined) return { proof: 'server', addresses, problem: '', needsTxt: false }
    const isHere = address !== undefined
    reasons.push({ addresses, problem, isHere, needsTxt: !isHere && addresses.length > 0 })
  }
  const [first] = reasons.toSorted((a, b) => Number(b.isHere) - Number(a.isHere))
  const proof = (await hasTxtRecord(ctx, claimed.workspace_id, claimed.host, signal)) ? 'dns_txt' : undefined
  return {
    proof,
    addresses: first?.addresses ?? [],
    problem: first?.problem ?? `No application uses ${claimed.host} anymore.`,
    needsTxt: first?.needsTxt ?? false,
  }
}

/** One timeout covers all lookups of a check, because name servers decide how many there are. */
const dnsDeadline = ({ config }: Context) => AbortSignal.timeout(config.OUTSIDE_TIMEOUT * 1000)

/** Returns whether the current holder has logged in to a server to which DNS points. */
export async function isServedBy(ctx: Context, holder: ClaimedHost): Promise<boolean> {
  const servers = await listDomainServers(ctx.db, holder.workspace_id, holder.host, { https: false })
  const signal = dnsDeadline(ctx)
  for (const server of servers) {
    const { addresses } = await checkDnsTarget(ctx, server, holder.host, signal)
    if (await findProven(ctx, server, addresses, signal)) return true
  }
  return false
}

/** Over SSH only the address at which Slipway logged in counts: an entered address or name may lead to another server. */
async function findProven(
  ctx: Context,
  server: ServerRow,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const proven =
    server.kind === 'local' ? await findServerAddresses(ctx, server, signal) : [provenAddress(server)]
  return addresses.find((address) => proven.includes(address))
}

const notLoggedIn = (name: string, host: string) =>
  `Slipway has not connected to ${name} at the address that ${host} points to. Connect the server first.`

async function findProbeProblem(
  ctx: Context,
  claimed: ClaimedHost,
  server: ServerRow,
  address: string,
): Promise<string | undefined> {
  const { http_port: port } = getWebPorts(server)
  if (port !== 80) return unprovable(server.name, port, claimed)
  try {
    const reason = await probeChallenge(
      ctx,
      claimed,
      [server],
      [server.kind === 'local' ? '127.0.0.1' : address],
    )
    return reason === undefined
      ? undefined
      : `${claimed.host} points to ${server.name}, but its proxy is unreachable on port 80: ${reason}. Check the firewall and the setup of the server.`
  } catch (error) {
    if (error instanceof OrderPostponed) return error.message
    throw error
  }
}

export const otherPortMessage = (name: string, port: number) =>
  `The proxy of ${name} listens on port ${port}, but certificate authorities use port 80. Change the HTTP port of the server to 80 and set it up again, or upload a certificate.`

function unprovable(name: string, port: number, { workspace_id, host }: ClaimedHost): string {
  const record = toTxtRecord(workspace_id, host)
  return `${host} points to ${name}, whose proxy listens on port ${port}, but domains are verified on port 80. Change the HTTP port of the server to 80 and set it up again, or create the TXT record ${record.name} with the value ${record.value}.`
}

export async function saveEvidence(
  db: Db,
  { workspace_id, host }: ClaimedHost,
  { proof, problem, needsTxt }: HostEvidence,
): Promise<boolean> {
  if (proof) return saveProof(db, workspace_id, host, proof)
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
