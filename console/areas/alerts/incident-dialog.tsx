import { useMaskedText } from '../../lib/address.tsx'
import { useQuery } from '@tanstack/react-query'
import { useDialog } from '../../lib/use-dialog.ts'
import { alertsPath, applicationPath, channelPath } from '../../paths.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { QueryFallback } from '../../lib/query-fallback.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { incidentBadges, isMuted, severityTexts } from './alert-texts.ts'
import { MuteIncident } from './mute-menu.tsx'
import { type IncidentDetails, incidentQuery } from './queries.ts'
import { OutputLog } from '../../ui/output-log.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { DateTime, Time } from '../../ui/time.tsx'
import type { ReactNode } from 'react'
import { type AlertKind, alertKinds } from '../../../contract/shared/alert-kinds.ts'
import { formatElapsed } from '../../../contract/shared/duration.ts'
import { SubjectLink } from './incidents-card.tsx'

/** Incident dialog. The URL opens it, because notifications link to incidents. */
export function IncidentDialog({ manages }: { manages: boolean }) {
  const { dialog: id, close } = useDialog('incident')
  return id === '' ? null : <Opened key={id} id={id} manages={manages} onClose={close} />
}

function Opened({ id, manages, onClose }: { id: string; manages: boolean; onClose: () => void }) {
  const query = useQuery(incidentQuery(id))
  const mask = useMaskedText()
  const { data: incident } = query
  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title={incident ? mask(incident.summary) : 'Incident'}
      {...(incident && { description: incident.alert_name })}
    >
      {incident ? (
        <Shown incident={incident} manages={manages} />
      ) : (
        <QueryFallback
          query={query}
          failed="Could not load incident"
          skeleton={<Skeleton className="h-64 w-full" />}
          missing={
            <EmptyState title="Incident not found">
              The incident was resolved more than 90 days ago or belongs to another workspace.
            </EmptyState>
          }
        />
      )}
    </Dialog>
  )
}

function Shown({ incident, manages }: { incident: IncidentDetails; manages: boolean }) {
  const { state, severity, alert_id: alert } = incident
  const isOver = state === 'resolved'
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <Badge tone={incidentBadges[state].tone}>{incidentBadges[state].word}</Badge>
        <Badge tone={severityTexts[severity].tone}>{severityTexts[severity].label}</Badge>
      </div>
      <DefinitionList items={incidentFacts(incident)} dense />
      <IncidentCause cause={incident.cause} />
      <LogsLink subject={incident.subject} />
      <IncidentMessages incident={incident} />
      {manages && (alert !== null || !isOver) && (
        <DialogActions>
          {alert !== null && (
            <ButtonLink to={`${alertsPath('alerts')}?dialog=edit-${alert}`}>Edit alert</ButtonLink>
          )}
          {!isOver && <MuteIncident incident={incident} worded />}
        </DialogActions>
      )}
    </>
  )
}

function IncidentCause({ cause: { facts, lines } }: Pick<IncidentDetails, 'cause'>) {
  if (facts.length === 0 && lines.length === 0) return null
  return (
    <section aria-labelledby="incident-cause" className="flex min-w-0 flex-col gap-3">
      <h3 id="incident-cause" className="font-semibold">
        Cause
      </h3>
      {facts.length > 0 && (
        <DefinitionList items={facts.map(({ label, value }) => ({ term: label, value }))} dense />
      )}
      {lines.length > 0 && (
        <OutputLog label="Last log lines" lines={lines.map((text) => ({ stream: 'stdout', text }))} />
      )}
    </section>
  )
}

/** Links to the logs. The page shows the saved log if the container was removed since. */
function LogsLink({ subject }: Pick<IncidentDetails, 'subject'>) {
  const { kind, id, application_id: application, deployment_id: deployment } = subject
  if (application === null || kind === 'certificate') return null
  const shown = {
    ...(kind === 'container' && { container: id }),
    ...(deployment !== null && { deployment }),
  }
  return (
    <p>
      <TextLink to={`${applicationPath(application, 'logs')}?${new URLSearchParams(shown)}`}>
        Show logs
      </TextLink>
    </p>
  )
}

type Message = IncidentDetails['messages'][number]

function IncidentMessages({ incident }: { incident: IncidentDetails }) {
  const { messages } = incident
  return (
    <section aria-labelledby="incident-messages" className="flex flex-col gap-2">
      <h3 id="incident-messages" className="font-semibold">
        Sent notifications
      </h3>
      {messages.length === 0 && <p className="text-muted">{noMessages(incident)}</p>}
      {messages.length > 0 && (
        <ul className="divide-y divide-line rounded-md border border-line">
          {messages.map((message) => (
            <Item key={message.id} message={message} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Item({
  message: { notification, kind, status, created_at: made, sent_at: sent },
}: {
  message: Message
}) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 text-sm">
      <span className="min-w-0 flex-1 wrap-anywhere">
        {kinds[kind]} sent to{' '}
        <TextLink to={channelPath(notification.id)}>
          <bdi>{notification.name}</bdi>
        </TextLink>
      </span>
      <span className="text-muted">
        <Time at={sent ?? made} />
      </span>
      {/* The fixed width aligns the times. */}
      <span className="w-18">
        <Badge tone={statuses[status].tone}>{statuses[status].word}</Badge>
      </span>
    </li>
  )
}

const kinds: Record<Message['kind'], string> = {
  started: 'Alert',
  reminder: 'Reminder',
  over: 'Resolution',
}

const statuses: Record<Message['status'], { tone: Tone; word: string }> = {
  waiting: { tone: 'yellow', word: 'Queued' },
  sent: { tone: 'green', word: 'Sent' },
  failed: { tone: 'red', word: 'Failed' },
}

function noMessages({ state, notified_at: notified }: IncidentDetails): string {
  if (state === 'pending') return 'None yet. The condition has not lasted long enough to trigger the alert.'
  if (notified === null && state === 'firing')
    return 'None yet. The alert is muted, in a maintenance window or in its cooldown.'
  if (notified === null) return 'None sent. The alert was muted, in a maintenance window or in its cooldown.'
  return 'None sent. No channel receives this alert.'
}

interface Fact {
  term: string
  value: ReactNode
}

function incidentFacts(incident: IncidentDetails): Fact[] {
  const {
    subject,
    started_at: started,
    resolved_at: resolved,
    resolved_reason: reason,
    muted_until: muted,
  } = incident
  const values = formatValue(incident)
  return [
    { term: nouns[subject.kind], value: <SubjectLink subject={subject} /> },
    ...(values === undefined ? [] : [{ term: 'Value', value: values }]),
    {
      term: 'Started',
      value: (
        <>
          <DateTime at={started} /> (<Time at={started} />)
        </>
      ),
    },
    ...(resolved === null
      ? []
      : [
          {
            term: 'Resolved',
            value: (
              <>
                <DateTime at={resolved} />, after {formatElapsed(started, resolved)}
              </>
            ),
          },
        ]),
    ...(reason === null ? [] : [{ term: 'Resolution', value: reason }]),
    ...(muted !== null && isMuted(muted) ? [{ term: 'Muted until', value: <DateTime at={muted} /> }] : []),
  ]
}

const nouns = {
  server: 'Server',
  container: 'Container',
  application: 'Application',
  certificate: 'Certificate',
}

const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })

/**
 * Returns the value with its threshold, such as “91 % (threshold 85 %)”, or undefined for conditions without a value.
 */
function formatValue({ kind, value, threshold }: IncidentDetails): string | undefined {
  const { unit }: AlertKind = alertKinds[kind]
  if (value === null || unit === undefined) return undefined
  const format = (number: number) => `${numbers.format(number)}${words[unit]}`
  return threshold === null ? format(value) : `${format(value)} (threshold ${format(threshold)})`
}

const words = { percent: ' %', load: ' per core', times: ' times', days: ' days' }
