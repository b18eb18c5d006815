import type { Server } from './queries.ts'
import { ServerBadge } from './server-badge.tsx'

/** How a server is, and under it why it is not well. */
export function ServerStatus({ server: { status, reason } }: { server: Pick<Server, 'status' | 'reason'> }) {
  return (
    <div className="flex min-w-0 flex-col gap-0.5 py-1.5 max-sm:items-end max-sm:py-0">
      <span>
        <ServerBadge status={status} />
      </span>
      {reason !== null && (
        <span title={reason} className="line-clamp-2 max-w-xl text-xs text-muted wrap-anywhere">
          {reason}
        </span>
      )}
    </div>
  )
}
