import { Link } from 'react-router'
import { formatCount } from '../../../contract/shared/format-list.ts'
import { AddressText } from '../../lib/address.tsx'
import { serverPath } from '../../paths.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { Server } from './queries.ts'
import { ServerBadge } from './server-status.tsx'
import { highestShare, UsageBars } from './server-usage.tsx'

const most = 6

/** Lists the fullest servers first. Servers that are not ready come last, because their metrics are old. */
export function HomeServers({ servers }: { servers: readonly Server[] }) {
  const shown = servers.toSorted((a, b) => fullness(b) - fullness(a)).slice(0, most)
  return (
    <ul className={listClasses}>
      {shown.map((server) => (
        <li key={server.id} className={`relative hover:bg-hover ${rowClasses}`}>
          <span className="flex items-center gap-2">
            <Link
              to={serverPath(server.id)}
              className="min-w-0 truncate font-medium outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent-ink"
            >
              <bdi>{server.name}</bdi>
            </Link>
            <span className="min-w-0 flex-1 truncate text-xs text-muted">
              {[server.region, formatCount(server.applications, 'application')].filter(Boolean).join(' · ')}
            </span>
            <ServerBadge status={server.status} />
          </span>
          {server.reason === null || (server.usage && server.status === 'ready') ? (
            <UsageBars server={server} />
          ) : (
            <span className="line-clamp-1 text-sm text-muted">
              <AddressText>{server.reason}</AddressText>
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

const fullness = (server: Server) => (server.status === 'ready' ? highestShare(server) : -1)

export const HomeServersSkeleton = () => (
  <ul className={listClasses}>
    {[1, 2, 3].map((row) => (
      <li key={row} className={rowClasses}>
        <Skeleton sized className="h-5 w-32" />
        <Skeleton sized className="h-6.5 w-full" />
      </li>
    ))}
  </ul>
)

const listClasses = 'divide-y divide-line overflow-hidden rounded-lg border border-line bg-raised'
const rowClasses = 'flex flex-col gap-2.5 px-4 py-3'
