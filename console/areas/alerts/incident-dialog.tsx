import { useQuery } from '@tanstack/react-query'
import { isNotFound } from '../../lib/http/api-error.ts'
import { useDialog } from '../../lib/use-dialog.ts'
import { alertsPath } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { incidentFacts } from './incident-facts.tsx'
import { IncidentMessages } from './incident-messages.tsx'
import { incidentBadges, severityTexts } from './alert-texts.ts'
import { MuteIncident } from './mute-menu.tsx'
import { type IncidentDetails, incidentQuery } from './queries.ts'
import { OutputLog } from '../../ui/output-log.tsx'

/** Opened by URL, because notifications link to it. */
export function IncidentDialog({ manages }: { manages: boolean }) {
  const { dialog: id, close } = useDialog('incident')
  return id === '' ? null : <Opened key={id} id={id} manages={manages} onClose={close} />
}

interface OpenedProps {
  id: string
  manages: boolean
  onClose: () => void
}

function Opened({ id, manages, onClose }: OpenedProps) {
  const { data: incident, error, refetch } = useQuery(incidentQuery(id))
  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title={incident?.summary ?? 'Incident'}
      {...(incident && { description: incident.alert_name })}
    >
      {incident && <Shown incident={incident} manages={manages} />}
      {!incident && !error && <Skeleton className="h-64 w-full" />}
      {!incident && error && !isNotFound(error) && (
        <Problem title="Could not load the incident" onRetry={() => void refetch()}>
          {error.message || 'Try again in a moment.'}
        </Problem>
      )}
      {!incident && isNotFound(error) && (
        <EmptyState title="Incident not found">
          It was resolved more than 90 days ago or belongs to another workspace.
        </EmptyState>
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
