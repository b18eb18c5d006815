import { Badge } from '../../ui/badge.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { Time } from '../../ui/time.tsx'
import { formatElapsed } from '../../ui/format/elapsed.ts'
import { incidentBadges, isMuted, severityTexts } from './alert-texts.ts'
import type { Incident } from './queries.ts'
import { SubjectLink } from './subject-link.tsx'

const what: Column<Incident> = {
  head: 'Alert',
  cell: ({ summary, alert_name: name }) => (
    <span className="flex min-w-0 flex-col sm:py-1.5">
      <span dir="auto" className="line-clamp-2" title={summary}>
        {summary}
      </span>
      <bdi className="font-normal text-muted">{name}</bdi>
    </span>
  ),
}

const subject: Column<Incident> = {
  head: 'Resource',
  cell: (incident) => (
    <span
      className="relative block max-w-36 truncate max-sm:max-w-full min-[1280px]:max-w-56"
      title={incident.subject.name}
    >
      <SubjectLink subject={incident.subject} />
    </span>
  ),
}

const severity: Column<Incident> = {
  head: 'Severity',
  cell: (incident) => (
    <Badge tone={severityTexts[incident.severity].tone}>{severityTexts[incident.severity].label}</Badge>
  ),
  narrow: true,
}

export const firingColumns: [Column<Incident>, ...Column<Incident>[]] = [
  what,
  subject,
  severity,
  {
    head: 'State',
    cell: ({ state, muted_until: until }) => (
      <span className="flex flex-col items-start gap-0.5 max-sm:items-end">
        <Badge tone={incidentBadges[state].tone}>{incidentBadges[state].word}</Badge>
        {isMuted(until) && <span className="text-xs text-muted">Muted</span>}
      </span>
    ),
    narrow: true,
  },
  { head: 'Since', cell: ({ started_at: at }) => <Time at={at} />, narrow: true },
]

export const historyColumns: [Column<Incident>, ...Column<Incident>[]] = [
  what,
  subject,
  severity,
  { head: 'Started', cell: ({ started_at: at }) => <Time at={at} />, narrow: true },
  {
    head: 'Duration',
    cell: ({ started_at: from, resolved_at: to }) => (
      <span className="whitespace-nowrap tabular-nums">{to && formatElapsed(from, to)}</span>
    ),
    narrow: true,
  },
  {
    head: 'Resolution',
    cell: ({ resolved_reason: reason }) =>
      reason && (
        <span dir="auto" className="line-clamp-2 text-muted sm:text-left" title={reason}>
          {reason}
        </span>
      ),
    roomy: true,
  },
]
