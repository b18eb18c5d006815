import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import type { Trx } from '../../../tables.ts'
import { formatUtc } from '../../alerts/incident-summary.ts'
import { findIncident, type IncidentRow, readCause } from '../../alerts/incident.ts'
import {
  formatDuration,
  maskSecrets,
  type NotifiedEvent,
  type RenderedMessage,
  type RenderMessage,
} from '../message-content.ts'

type Fact = RenderedMessage['facts'][number]

const readIncident = async (trx: Trx, event: NotifiedEvent): Promise<IncidentRow> => {
  const row = await findIncident(trx, event.workspace_id, event.target_id as Id<'incident'>)
  if (!row) throw notFound('This incident')
  return row
}

export const alertStarted: RenderMessage = async (ctx, trx, event) =>
  incidentStarted(ctx, trx, await readIncident(trx, event))

export const incidentStarted = (ctx: Context, trx: Trx, row: IncidentRow): Promise<RenderedMessage> =>
  maskSecrets(ctx, trx, row, {
    ...commonFields(ctx, row),
    key: incidentStartKey(row),
    kind: 'started',
    title: alertTitle(row),
    text: row.summary,
  })

export const alertReminded: RenderMessage = async (ctx, trx, event) => {
  const row = await readIncident(trx, event)
  return maskSecrets(ctx, trx, row, {
    ...commonFields(ctx, row),
    kind: 'reminder',
    title: `Reminder: ${alertTitle(row)}`,
    text: `${row.summary} Active for ${formatDuration(row.began_at, event.created_at)}.`,
  })
}

export const alertResolved: RenderMessage = async (ctx, trx, event) => {
  const row = await readIncident(trx, event)
  const { ids, link } = commonFields(ctx, row)
  const ended = row.resolved_at ?? event.created_at
  return maskSecrets(ctx, trx, row, {
    ids,
    link,
    key: `incident:${row.id}:over`,
    kind: 'over',
    severity: 'good',
    title: `Resolved: ${alertTitle(row)}`,
    text: row.resolved_reason ?? 'The condition is no longer met.',
    facts: [
      { label: 'Problem', value: row.summary },
      { label: 'Started', value: formatUtc(row.began_at) },
      { label: 'Duration', value: formatDuration(row.began_at, ended) },
    ],
    lines: [],
  })
}

/** A failed deployment and its incident share a key, so that a channel subscribed to both receives one message. */
export const incidentStartKey = ({ id, kind, deployment_id }: IncidentRow): string =>
  kind === 'deployment_failed' && deployment_id !== null
    ? deploymentFailedKey(deployment_id)
    : `incident:${id}:started`

export const deploymentFailedKey = (deploymentId: string) => `deployment:${deploymentId}:failed`

const alertTitle = ({ alert_name, subject_name }: IncidentRow) => `${alert_name}: ${subject_name}`

function commonFields(
  ctx: Context,
  row: IncidentRow,
): Pick<RenderedMessage, 'severity' | 'facts' | 'lines' | 'link' | 'ids'> {
  const cause = readCause(ctx, row)
  const began: Fact = { label: 'Started', value: formatUtc(row.began_at) }
  return {
    severity: row.severity,
    facts: [...cause.facts, began],
    lines: cause.lines,
    link: {
      label: 'View alert',
      url: `${ctx.config.PUBLIC_URL}/dashboard/notifications?incident=${row.id}`,
    },
    ids: incidentIds(row),
  }
}

function incidentIds(row: IncidentRow): Record<string, string> {
  const all = {
    incident_id: row.id,
    alert_id: row.alert_id,
    server_id: row.server_id,
    application_id: row.application_id,
    deployment_id: row.deployment_id,
  }
  const known = Object.entries(all).flatMap(([name, id]) => (id === null ? [] : [[name, id] as const]))
  return { ...Object.fromEntries(known), subject_kind: row.subject_kind, subject_id: row.subject_id }
}
