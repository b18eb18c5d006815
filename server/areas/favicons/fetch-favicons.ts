import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { createSemaphore } from '../../platform/async.ts'
import { type FetchReply, safeFetch } from '../../platform/net/safe-fetch.ts'
import { readTrustedAuthorities } from '../../platform/net/trusted-authorities.ts'
import { newToken } from '../../platform/tokens.ts'
import { probeHeader } from '../../remote/proxy/traffic-counters.ts'
import { version } from '../../root.ts'
import type { Db } from '../../tables.ts'
import { checkNetwork, checkUrl, type UrlTarget, urlColumns } from '../alerts/check-targets.ts'
import { probeKey } from '../proxies/read-routing.ts'
import { detectPictureType, findIconLinks, type Picture } from './picture.ts'

interface DueFavicon extends UrlTarget {
  workspace_id: Id<'workspace'>
  application_id: Id<'application'>
  release_id: Id<'release'>
}

const atOnce = 10
const timeout = 5_000
/** Milliseconds for all requests to one application, which may be slow and redirect often. */
const timeoutOfAll = 15_000
const maxRedirects = 5
const maxPageBytes = 256 * 1024
const maxPictureBytes = 128 * 1024

/** Fetches each favicon once per release and day. */
export async function fetchDueFavicons(ctx: Context, signal: AbortSignal): Promise<void> {
  const due = await listDueFavicons(ctx.db)
  if (due.length === 0) return
  const ca = await readTrustedAuthorities(ctx.config)
  const limit = createSemaphore(atOnce)
  await Promise.all(
    due.map(async (target) => {
      const release = await limit.acquire(signal)
      try {
        const picture = await fetchFavicon(ctx, target, { ca, signal })
        await saveFavicon(ctx.db, target, picture)
      } catch (error) {
        signal.throwIfAborted()
        ctx.log.debug(
          { application: target.application_id, reason: String(error) },
          'Failed to fetch a favicon',
        )
        await postpone(ctx.db, target)
      } finally {
        release()
      }
    }),
  )
}

interface FetchOptions {
  ca: string[] | undefined
  signal: AbortSignal
}

/** Returns the favicon, or null if the application has none. Throws if the application does not respond. */
async function fetchFavicon(
  ctx: Context,
  target: DueFavicon,
  options: FetchOptions,
): Promise<Picture | null> {
  const network = await checkNetwork(ctx, target)
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(timeoutOfAll)])
  const home = checkUrl(target, '')
  // Only the ports of the proxy are allowed: the server may have a private address with other services.
  const isAllowed = ({ protocol, hostname, port }: URL) =>
    hostname === home.hostname && port === proxyPort(target, protocol)
  const get = (url: URL, accept: string, maxBytes: number) =>
    followRedirects(url, isAllowed, (at) =>
      safeFetch(at, {
        headers: {
          accept,
          'user-agent': `Slipway/${version} favicon`,
          [probeHeader]: probeKey(ctx, target.server.id),
        },
        timeout,
        allowedNetworks: network.networks,
        maxBytes,
        truncate: true,
        keepRedirect: true,
        allowHttp: true,
        signal,
        ...(network.lookup && { lookup: network.lookup }),
        ...(options.ca && { ca: options.ca }),
      }),
    )
  const page = await get(home, 'text/html', maxPageBytes)
  if (page.status >= 500) throw new Error(`The application responded with ${page.status}.`)
  const links = findIconLinks(page.text).filter((link) => URL.canParse(link, page.url.href))
  for (const link of [...links.slice(0, 3), '/favicon.ico']) {
    const url = new URL(link, page.url)
    if (!isAllowed(url)) continue
    const { status, bytes } = await get(url, 'image/*', maxPictureBytes + 1)
    if (status !== 200 || bytes.length > maxPictureBytes) continue
    const type = detectPictureType(bytes)
    if (type) return { type, content: bytes }
  }
  return null
}

/** Returns the port of the proxy as `port` of a URL; undefined for protocols other than HTTP and HTTPS. */
function proxyPort({ server }: UrlTarget, protocol: string): string | undefined {
  if (protocol === 'http:') return server.http_port === 80 ? '' : String(server.http_port)
  if (protocol === 'https:') return server.https_port === 443 ? '' : String(server.https_port)
  return undefined
}

async function followRedirects(
  url: URL,
  isAllowed: (url: URL) => boolean,
  get: (url: URL) => Promise<FetchReply>,
): Promise<FetchReply> {
  let current = url
  for (let redirects = 0; ; redirects++) {
    const reply = await get(current)
    const to = reply.headers.location
    if (reply.status < 300 || reply.status >= 400 || !to || !URL.canParse(to, current.href)) return reply
    const next = new URL(to, current)
    if (redirects === maxRedirects || !isAllowed(next)) return reply
    current = next
  }
}

/**
 * Lists at most five applications per workspace, so that applications that do not respond delay only their own
 * workspace. Domains without proof of ownership are left out: they may belong to others, who would learn the probe key
 * and whose favicon would be shown.
 */
async function listDueFavicons(db: Db): Promise<DueFavicon[]> {
  const { rows } = await sql<DueFavicon>`
    select * from (
      select a.workspace_id, a.id as application_id, a.release_id, d.host, d.path, d.https, d.generated, ${urlColumns},
        row_number() over (partition by a.workspace_id order by f.check_at nulls first, a.id) as place
      from applications a
      join servers s on s.workspace_id = a.workspace_id and s.id = a.server_id and s.status = 'ready'
      join lateral (
        select d.* from domains d
        join host_names n on n.workspace_id = d.workspace_id and n.host = d.host
        where d.workspace_id = a.workspace_id and d.application_id = a.id and (d.generated or n.verified_at is not null)
        order by d.generated, d.created_at, d.id limit 1) d on true
      left join favicons f on f.workspace_id = a.workspace_id and f.application_id = a.id
      where a.deleting_at is null and a.wanted = 'running' and a.release_id is not null and not a.maintenance
        and (f.application_id is null or f.check_at < now() or f.release_id <> a.release_id)
    ) due where place <= 5 order by place limit 50`.execute(db)
  return rows
}

/** Saves a favicon. Its key changes with the picture, because browsers cache the picture for a year. */
async function saveFavicon(db: Db, target: DueFavicon, picture: Picture | null): Promise<void> {
  const { workspace_id, application_id, release_id } = target
  await sql`
    insert into favicons (workspace_id, application_id, release_id, key, type, content, check_at)
    select ${workspace_id}, ${application_id}, ${release_id}, ${picture && newToken('fav')}, ${picture?.type ?? null},
      ${picture?.content ?? null}::bytea, now() + interval '1 day'
    where exists (select from applications a where a.workspace_id = ${workspace_id} and a.id = ${application_id})
    on conflict (application_id) do update set
      key = case when favicons.content = excluded.content then favicons.key else excluded.key end,
      type = excluded.type, content = excluded.content, release_id = excluded.release_id, check_at = excluded.check_at`.execute(
    db,
  )
}

/** Schedules the next attempt, and keeps the favicon of an application that does not respond. */
async function postpone(db: Db, { workspace_id, application_id, release_id }: DueFavicon): Promise<void> {
  await sql`
    insert into favicons (workspace_id, application_id, release_id, check_at)
    select ${workspace_id}, ${application_id}, ${release_id}, now() + interval '10 minutes'
    where exists (select from applications a where a.workspace_id = ${workspace_id} and a.id = ${application_id})
    on conflict (application_id) do update set release_id = excluded.release_id, check_at = excluded.check_at`.execute(
    db,
  )
}
