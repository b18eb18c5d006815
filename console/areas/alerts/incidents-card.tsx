import { AddressSpan, AddressText } from '../../lib/address.tsx'
import { useInfiniteQuery } from '@tanstack/react-query'
import { CircleCheck, History } from 'lucide-react'
import { dialogOpenedState, dialogLink } from '../../lib/use-dialog.ts'
import { LoadMore } from '../../ui/table/load-more.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { MuteIncident } from './mute-menu.tsx'
import { type Incident, incidentsQuery } from './queries.ts'
import { useSearchParams } from 'react-router'
import { useParam } from '../../lib/use-param.ts'
import { SearchInput } from '../../ui/form/search-input.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Time } from '../../ui/time.tsx'
import { formatElapsed } from '../../../contract/shared/duration.ts'
import { incidentBadges, isMuted, severityTexts } from './alert-texts.ts'
import { applicationPath, containerPath, deploymentPath, serverPath } from '../../paths.ts'
import { TextLink } from '../../ui/text-link.tsx'
import { QueryTable } from '../../ui/table/query-table.tsx'
import { Card } from '../../ui/card.tsx'

export function FiringCard({ manages }: { manages: boolean }) {
  const firing = useInfiniteQuery(incidentsQuery('firing'))
  const pending = useInfiniteQuery(incidentsQuery('pending'))
  const rows = firing.data && pending.data && [...firing.data, ...pending.data]
  const retry = () => Promise.all([firing.refetch(), pending.refetch()])
  return (
    <>
      <Card flush>
        <QueryTable
          label="Firing"
          things="firing alerts"
          query={{ data: rows, error: firing.error ?? pending.error, refetch: retry }}
          empty={{
            icon: CircleCheck,
            title: 'All clear',
            text: 'Firing alerts appear here until they are resolved.',
          }}
          columns={firingColumns}
          rowKey={({ id }) => id}
          href={({ id }) => `?incident=${id}`}
          linkState={dialogOpenedState}
          skeletonRows={3}
          {...(manages && { actions: renderMute })}
        />
      </Card>
      <LoadMore query={firing.hasNextPage ? firing : pending} />
    </>
  )
}

const renderMute = (incident: Incident) => <MuteIncident incident={incident} />

export function IncidentHistoryCard() {
  const [params] = useSearchParams()
  const [q, setQ] = useParam('q')
  const query = useInfiniteQuery(incidentsQuery('resolved', q))
  const isEmpty = query.data?.length === 0 && q === ''
  return (
    <>
      {!isEmpty && <SearchInput value={q} onChange={setQ} label="Search history" />}
      <Card flush>
        <QueryTable
          label="History"
          things="incidents"
          query={query}
          search={{ q, setQ }}
          empty={{
            icon: History,
            title: 'No resolved incidents',
            text: 'Resolved incidents appear here for 90 days.',
          }}
          columns={historyColumns}
          rowKey={({ id }) => id}
          href={({ id }) => dialogLink(params, id, 'incident')}
          linkState={dialogOpenedState}
        />
      </Card>
      <LoadMore query={query} />
    </>
  )
}

const what: Column<Incident> = {
  head: 'Alert',
  cell: (incident) => <What incident={incident} />,
}

function What({ incident: { summary, alert_name: name } }: { incident: Incident }) {
  return (
    <span className="flex min-w-0 flex-col sm:py-1.5">
      <AddressSpan className="line-clamp-2">{summary}</AddressSpan>
      <bdi className="font-normal text-muted max-sm:hidden">{name}</bdi>
    </span>
  )
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
  phone: 'second',
}

const severity: Column<Incident> = {
  head: 'Severity',
  cell: (incident) => (
    <Badge tone={severityTexts[incident.severity].tone}>{severityTexts[incident.severity].label}</Badge>
  ),
  narrow: true,
  phone: 'first-end',
}

const firingColumns: [Column<Incident>, ...Column<Incident>[]] = [
  what,
  subject,
  severity,
  {
    head: 'State',
    cell: ({ state, muted_until: until }) => (
      <span className="flex flex-col items-start gap-0.5">
        <Badge tone={incidentBadges[state].tone}>{incidentBadges[state].word}</Badge>
        {isMuted(until) && <span className="text-xs text-muted">Muted</span>}
      </span>
    ),
    narrow: true,
    desk: true,
  },
  {
    head: 'Since',
    cell: ({ started_at: at, state, muted_until: until }) => (
      <span>
        <span className="sm:hidden">
          {state === 'pending' && `${incidentBadges[state].word} · `}
          {isMuted(until) && 'Muted · '}
        </span>
        <Time at={at} />
      </span>
    ),
    narrow: true,
    phone: 'second-end',
  },
]

const historyColumns: [Column<Incident>, ...Column<Incident>[]] = [
  what,
  subject,
  severity,
  { head: 'Started', cell: ({ started_at: at }) => <Time at={at} />, narrow: true, phone: 'second-end' },
  {
    head: 'Duration',
    cell: ({ started_at: from, resolved_at: to }) => (
      <span className="whitespace-nowrap tabular-nums">{to && formatElapsed(from, to)}</span>
    ),
    narrow: true,
    desk: true,
  },
  {
    head: 'Resolution',
    cell: ({ resolved_reason: reason }) =>
      reason && (
        <span dir="auto" className="line-clamp-2 text-muted sm:text-left">
          <AddressText>{reason}</AddressText>
        </span>
      ),
    roomy: true,
    desk: true,
  },
]

type Subject = Incident['subject']

export function SubjectLink({ subject }: { subject: Subject }) {
  const to = subjectPath(subject)
  const name = <bdi>{subject.name}</bdi>
  return to === undefined ? name : <TextLink to={to}>{name}</TextLink>
}

function subjectPath({ kind, id, name, ...of }: Subject): string | undefined {
  if (kind === 'server') return serverPath(id)
  // A recreated container keeps its name but gets another ID, so link by name.
  if (kind === 'container') return of.server_id === null ? undefined : containerPath(of.server_id, name)
  if (of.application_id === null) return undefined
  if (of.deployment_id !== null) return deploymentPath(of.application_id, of.deployment_id)
  return applicationPath(of.application_id, kind === 'certificate' ? 'networking' : undefined)
}
