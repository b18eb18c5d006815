import { useInfiniteQuery } from '@tanstack/react-query'
import { CircleCheck, History } from 'lucide-react'
import { dialogOpenedState } from '../../lib/use-dialog.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { Problem } from '../../ui/problem.tsx'
import { type Column, Table } from '../../ui/table/table.tsx'
import { ListBox } from './list-box.tsx'
import { MuteIncident } from './mute-menu.tsx'
import { type Incident, incidentsQuery } from './queries.ts'
import { useSearchParams } from 'react-router'
import { useParam } from '../../lib/use-param.ts'
import { NothingFound } from '../../ui/table/nothing-found.tsx'
import { SearchInput } from '../../ui/form/search-input.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Time } from '../../ui/time.tsx'
import { formatElapsed } from '../../ui/format/elapsed.ts'
import { incidentBadges, isMuted, severityTexts } from './alert-texts.ts'
import { applicationPath, containerPath, deploymentPath, serverPath } from '../../paths.ts'
import { TextLink } from '../../ui/text-link.tsx'

export function FiringCard({ manages }: { manages: boolean }) {
  const firing = useInfiniteQuery(incidentsQuery('firing'))
  const pending = useInfiniteQuery(incidentsQuery('pending'))
  const lost = (firing.isError && !firing.data) || (pending.isError && !pending.data)
  const rows = firing.data && pending.data && [...firing.data, ...pending.data]
  const retry = () => void Promise.all([firing.refetch(), pending.refetch()])
  return (
    <>
      <ListBox>
        {lost && (
          <Problem title="Could not load active alerts" onRetry={retry}>
            Try again in a moment.
          </Problem>
        )}
        {rows?.length === 0 && (
          <EmptyState icon={CircleCheck} title="All clear">
            Active alerts appear here until they resolve.
          </EmptyState>
        )}
        {!lost && rows?.length !== 0 && (
          <Table
            label="Firing"
            columns={firingColumns}
            rows={rows}
            rowKey={({ id }) => id}
            href={({ id }) => `?incident=${id}`}
            linkState={dialogOpenedState}
            skeletonRows={3}
            {...(manages && { actions: renderMute })}
          />
        )}
      </ListBox>
      <LoadMore query={firing.hasNextPage ? firing : pending} />
    </>
  )
}

const renderMute = (incident: Incident) => <MuteIncident incident={incident} />

export function IncidentHistoryCard() {
  const [params] = useSearchParams()
  const [q, setQ] = useParam('q')
  const query = useInfiniteQuery(incidentsQuery('resolved', q))
  const { data: incidents, isError, refetch } = query
  const none = incidents?.length === 0
  const lost = isError && !incidents
  return (
    <>
      {!(none && q === '') && <SearchInput value={q} onChange={setQ} label="Search history" />}
      <ListBox>
        {lost && (
          <Problem title="Could not load the alert history" onRetry={() => void refetch()}>
            Try again in a moment.
          </Problem>
        )}
        {none && q !== '' && <NothingFound things="incidents" q={q} onClear={() => setQ('')} />}
        {none && q === '' && (
          <EmptyState icon={History} title="No alerts yet">
            Resolved alerts are kept for 90 days.
          </EmptyState>
        )}
        {!none && !lost && (
          <Table
            label="History"
            columns={historyColumns}
            rows={incidents}
            rowKey={({ id }) => id}
            href={({ id }) => `?${withIncident(params, id)}`}
            linkState={dialogOpenedState}
          />
        )}
      </ListBox>
      <LoadMore query={query} />
    </>
  )
}

/** Keeps the search while the dialog is open. */
function withIncident(params: URLSearchParams, id: string): string {
  const after = new URLSearchParams(params)
  after.set('incident', id)
  return after.toString()
}

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

const firingColumns: [Column<Incident>, ...Column<Incident>[]] = [
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

const historyColumns: [Column<Incident>, ...Column<Incident>[]] = [
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

type Subject = Incident['subject']

export function SubjectLink({ subject }: { subject: Subject }) {
  const to = subjectPath(subject)
  const name = <bdi>{subject.name}</bdi>
  return to === undefined ? name : <TextLink to={to}>{name}</TextLink>
}

/** Returns undefined for subjects without a page. */
function subjectPath({ kind, id, name, ...of }: Subject): string | undefined {
  if (kind === 'server') return serverPath(id)
  // The name survives a recreation, the ID does not.
  if (kind === 'container') return of.server_id === null ? undefined : containerPath(of.server_id, name)
  if (of.application_id === null) return undefined
  if (of.deployment_id !== null) return deploymentPath(of.application_id, of.deployment_id)
  return applicationPath(of.application_id, kind === 'certificate' ? 'networking' : undefined)
}
