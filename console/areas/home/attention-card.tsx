import { AddressText } from '../../lib/address.tsx'
import { CircleCheck } from 'lucide-react'
import { Link } from 'react-router'
import { applicationPath, channelPath, deploymentPath, incidentPath, serverPath } from '../../paths.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { Time } from '../../ui/time.tsx'
import { queryOptions } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'

interface AttentionCardProps {
  attention: readonly Attention[]
  more: number
}

/** Problems that need attention, with links. */
export function AttentionCard({ attention, more }: AttentionCardProps) {
  if (attention.length === 0)
    return (
      <p className="flex items-center gap-2 text-sm text-muted">
        <CircleCheck className="size-4 text-green-ink" aria-hidden />
        All clear
      </p>
    )
  return (
    <Card title="Needs attention" flush>
      <ul>
        {attention.map((item) => (
          <Item key={`${item.kind} ${item.target.id} ${item.summary}`} {...item} />
        ))}
        {more > 0 && <li className="px-4 py-2 text-sm text-muted">And {more} more</li>}
      </ul>
    </Card>
  )
}

function Item(item: Attention) {
  const [tone, word] = kindBadges[item.kind]
  return (
    <li className="relative flex items-start justify-between gap-x-4 gap-y-1 border-b border-line px-4 py-2.5 last:border-b-0 hover:bg-hover max-sm:flex-col">
      <div className="flex min-w-0 items-start gap-3 max-sm:flex-col max-sm:gap-1">
        <span className="w-26 shrink-0">
          <Badge tone={tone}>{word}</Badge>
        </span>
        <div className="min-w-0 text-sm wrap-anywhere">
          <Link
            to={attentionPath(item)}
            className="font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent-ink"
          >
            <AddressText>{item.summary}</AddressText>
          </Link>
          {item.reason && (
            <p className="line-clamp-2 text-muted">
              <AddressText>{item.reason}</AddressText>
            </p>
          )}
        </div>
      </div>
      <span className="shrink-0 text-sm text-muted">
        <Time at={item.since} />
      </span>
    </li>
  )
}

const kindBadges: Record<Attention['kind'], [Tone, string]> = {
  server_unreachable: ['red', 'Unreachable'],
  server_failed: ['red', 'Failed'],
  application_failed: ['red', 'Down'],
  application_degraded: ['yellow', 'Degraded'],
  deployment_failed: ['red', 'Failed'],
  certificate_failed: ['yellow', 'Certificate'],
  alert_critical: ['red', 'Critical'],
  alert_warning: ['yellow', 'Warning'],
  alert_info: ['neutral', 'Info'],
  channel_paused: ['red', 'Paused'],
}

function attentionPath({ kind, target, deployment_id: deployment }: Attention): string {
  if (target.kind === 'incident') return incidentPath(target.id)
  if (target.kind === 'notification') return channelPath(target.id)
  if (target.kind === 'server') return serverPath(target.id)
  if (kind === 'deployment_failed' && deployment !== null) return deploymentPath(target.id, deployment)
  return applicationPath(target.id, kind === 'certificate_failed' ? 'networking' : undefined)
}

type Attention = Reply<Api['GET /v1/home']>['home']['attention'][number]

/** Depends on many kinds of events (lib/http/live-keys.ts). */
export const homeQuery = queryOptions({
  queryKey: ['home'],
  queryFn: async ({ signal }) => (await callApi('GET /v1/home', undefined, signal)).home,
})
