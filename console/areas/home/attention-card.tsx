import { AddressText } from '../../lib/address.tsx'
import { Link } from 'react-router'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { Time } from '../../ui/time.tsx'
import { useState } from 'react'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { type Attention, attentionAction, attentionPath } from './attention-action.ts'

interface AttentionCardProps {
  attention: readonly Attention[]
  more: number
}

const fewest = 5

export function AttentionCard({ attention, more }: AttentionCardProps) {
  const [expanded, setExpanded] = useState(false)
  const shown = expanded ? attention : attention.slice(0, fewest)
  const hidden = attention.length - shown.length
  return (
    <Card title="Needs attention" flush>
      <ul>
        {shown.map((item) => (
          <Item key={`${item.kind} ${item.target.id} ${item.summary}`} {...item} />
        ))}
        {hidden > 0 && (
          <li className="px-2 py-1.5">
            <Button variant="ghost" size="small" onClick={() => setExpanded(true)}>
              Show {hidden} more
            </Button>
          </li>
        )}
        {hidden === 0 && more > 0 && <li className="px-4 py-2 text-sm text-muted">And {more} more</li>}
      </ul>
    </Card>
  )
}

function Item(item: Attention) {
  const [tone, word] = kindBadges[item.kind]
  const action = attentionAction(item)
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
            <p className="line-clamp-1 text-muted max-sm:line-clamp-2">
              <AddressText>{item.reason}</AddressText>
            </p>
          )}
        </div>
      </div>
      <span className="relative flex shrink-0 items-center gap-3 text-sm text-muted max-sm:w-full max-sm:justify-between">
        {item.kind !== 'disk_full' && <Time at={item.since} />}
        <ButtonLink size="small" to={action.to} className="sm:min-w-22">
          {action.label}
        </ButtonLink>
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
  certificate_expiring: ['yellow', 'Certificate'],
  disk_full: ['red', 'Disk full'],
  alert_critical: ['red', 'Critical'],
  alert_warning: ['yellow', 'Warning'],
  alert_info: ['neutral', 'Info'],
  channel_paused: ['red', 'Paused'],
}
