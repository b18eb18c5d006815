import { Badge } from '../../ui/badge.tsx'
import { byText, byTime } from '../../ui/table/sort.ts'
import type { Column } from '../../ui/table/table.tsx'
import { Time } from '../../ui/time.tsx'
import { isPast } from './expiry.ts'
import type { ApiToken } from './queries.ts'

const scopeLabel = { read: 'Read', deploy: 'Deploy', manage: 'Manage' }

export const tokenColumns: [Column<ApiToken>, ...Column<ApiToken>[]] = [
  {
    head: 'Name',
    cell: ({ name }) => <bdi className="wrap-anywhere">{name}</bdi>,
    sort: byText(({ name }) => name),
  },
  { head: 'Scope', cell: ({ scope }) => scopeLabel[scope], sort: byText(({ scope }) => scope) },
  { head: 'Access', cell: (token) => <Access token={token} />, roomy: true },
  {
    head: 'Expires',
    cell: ({ expires_at: at }) => <Expires at={at} />,
    sort: byTime(({ expires_at: at }) => at, { labels: ['soonest first', 'latest first'] }),
  },
  {
    head: 'Last used',
    cell: ({ last_used_at: at }) => (at === null ? 'Never' : <Time at={at} />),
    sort: byTime(({ last_used_at: at }) => at, {
      none: -Infinity,
      labels: ['longest ago first', 'latest first'],
    }),
  },
]

function Access({ token: { projects, applications } }: { token: ApiToken }) {
  const targets = projects ?? applications
  if (!targets) return 'All'
  return <span className="wrap-anywhere">{targets.map(({ name }) => name).join(', ') || 'None left'}</span>
}

function Expires({ at }: { at: string | null }) {
  if (at === null) return 'Never'
  return isPast(at) ? <Badge tone="red">Expired</Badge> : <Time at={at} />
}
