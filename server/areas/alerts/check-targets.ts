import { isIP } from 'node:net'
import { callbackify } from 'node:util'
import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { getSettings } from '../../settings.ts'
import { resolveName } from '../../platform/net/resolve.ts'
import type { LookupAddresses } from '../../platform/net/safe-fetch.ts'
import type { Db } from '../../tables.ts'
import { domainUrl, isIssued } from '../applications/hosts/domain-url.ts'
import { checkDnsTarget, findServerAddresses } from '../applications/hosts/dns.ts'
import type { ServerRow } from '../servers/server.ts'

interface CheckRef {
  workspace_id: Id<'workspace'>
  alert_id: Id<'alert'>
  application_id: Id<'application'>
}

export interface CheckTarget extends CheckRef, UrlTarget {
  known: boolean
}

export interface UrlTarget {
  host: string
  path: string
  https: boolean
  generated: boolean
  certificate: { status: string; expires_at: string | null } | null
  server: {
    id: Id<'server'>
    name: string
    kind: ServerRow['kind']
    address: string | null
    /** The address that Slipway has logged in to: see `servers/server-host.ts`. */
    proven: string | null
    http_port: number
    https_port: number
  }
}

/** Columns for `checkUrl` and `checkNetwork`, of the domain `d` and the server `s`. */
export const urlColumns = sql`
  (select jsonb_build_object('status', t.status, 'expires_at', t.expires_at) from certificates t
    where t.workspace_id = d.workspace_id and t.host = d.host) as certificate,
  jsonb_build_object('id', s.id, 'name', s.name, 'kind', s.kind, 'address', s.address,
    'proven', case when s.proven_version = s.version then s.proven_address end,
    'http_port', coalesce(s.http_port_used, s.http_port),
    'https_port', coalesce(s.https_port_used, s.https_port)) as server`

/** Custom domains come before the generated URL, because users add a domain before they change its DNS. */
export async function listCheckTargets(db: Db, refs: readonly CheckRef[]): Promise<CheckTarget[]> {
  const workspaceIds = refs.map(({ workspace_id: id }) => id)
  const alertIds = refs.map(({ alert_id: id }) => id)
  const ids = refs.map(({ application_id: id }) => id)
  const { rows } = await sql<CheckTarget>`
    select a.workspace_id, due.alert_id, a.id as application_id, d.host, d.path, d.https, d.generated,
      exists (select from certificates t where t.workspace_id = d.workspace_id and t.host = d.host
          and t.kind = 'acme' and t.chain is not null)
        or coalesce(last.probes @> jsonb_build_array(jsonb_build_object('host', d.host)), false) as known,
      ${urlColumns}
    from unnest(${workspaceIds}::text[], ${alertIds}::text[], ${ids}::text[]) as due (workspace_id, alert_id, id)
    join applications a on a.workspace_id = due.workspace_id and a.id = due.id
    join servers s on s.workspace_id = a.workspace_id and s.id = a.server_id
    join domains d on d.workspace_id = a.workspace_id and d.application_id = a.id
    join host_names n on n.workspace_id = d.workspace_id and n.host = d.host
    left join lateral (
      select probes from checks c
      where c.workspace_id = a.workspace_id and c.alert_id = due.alert_id and c.application_id = a.id
      order by c.at desc limit 1) last on true
    where a.deleting_at is null and a.wanted = 'running' and a.release_id is not null and not a.maintenance
    order by d.generated, d.created_at, d.id`.execute(db)
  return rows
}

/**
 * Skips domains whose DNS points elsewhere, because their response may not come from the application. If all do, the
 * first one is checked: a CDN may forward it.
 */
export async function chooseCheckTargets(
  ctx: Pick<Context, 'config'>,
  addresses: readonly CheckTarget[],
): Promise<CheckTarget[]> {
  const found = await Promise.all(
    addresses.map(async (address) => {
      if (address.generated || address.known) return { address, isOurs: true, isElsewhere: false }
      const { problem, addresses: resolved } = await checkDnsTarget(ctx, address.server, address.host)
      return { address, isOurs: problem === undefined, isElsewhere: resolved.length > 0 }
    }),
  )
  const ours = found.filter(({ isOurs }) => isOurs)
  return (ours.length > 0 ? ours : found.filter(({ isElsewhere }) => isElsewhere).slice(0, 1)).map(
    ({ address }) => address,
  )
}

/** Appends the path as text, so that it cannot change the host. */
export function checkUrl(address: UrlTarget, path: string): URL {
  const issued = address.certificate !== null && isIssued(address.certificate)
  return new URL(`${domainUrl(address, issued, address.server).replace(/\/$/, '')}${path}`)
}

/** Adds the server's own addresses, which may be private, to the networks that checks may reach. */
export async function checkNetwork(ctx: Context, { generated, server }: UrlTarget) {
  const { DNS_SERVER } = ctx.config
  const { allowedNetworks } = await getSettings(ctx)
  const ownAddresses = await serverAddresses(ctx, server)
  const lookup =
    generated && ownAddresses.length > 0
      ? resolveTo(ownAddresses)
      : DNS_SERVER
        ? lookupWith(DNS_SERVER)
        : undefined
  return { networks: [...allowedNetworks, ...ownAddresses], lookup }
}

/** An address that a user typed or an import reported is untrusted until Slipway has logged in there. */
const serverAddresses = async (ctx: Context, server: UrlTarget['server']): Promise<string[]> =>
  server.kind === 'local' ? findServerAddresses(ctx, server) : server.proven === null ? [] : [server.proven]

const toLookupAddress = (address: string) => ({ address, family: isIP(address) })

/** Generated URLs resolve without DNS, which may be unreachable and would return the same address. */
const resolveTo =
  (addresses: readonly string[]): LookupAddresses =>
  (_name, _options, done) =>
    done(null, addresses.map(toLookupAddress))

function lookupWith(dnsServer: string): LookupAddresses {
  const ask = callbackify(async (name: string) => {
    const addresses = await resolveName(name, dnsServer)
    if (addresses.length > 0) return addresses.map(toLookupAddress)
    throw Object.assign(new Error(`No DNS record was found for ${name}.`), { code: 'ENOTFOUND' })
  })
  return (name, _options, done) => ask(name, done)
}
