import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import type { Trx } from '../../../tables.ts'
import { findApplicationUrl } from '../../applications/hosts/domain-url.ts'
import { openErrors } from '../../deployments/run/deployment.ts'
import { type DeploymentRow, getDeploymentRow } from '../../deployments/present-deployment.ts'
import { readLastLines } from '../../outputs/output.ts'
import { deploymentFailedKey } from './alert.ts'
import {
  formatDuration,
  maskSecrets,
  type NotifiedEvent,
  type RenderedMessage,
  type RenderMessage,
} from '../message-content.ts'

const shownLines = 15

const verbs: Record<string, readonly [began: string, done: string, failed: string]> = {
  build_application: ['Building', 'Built and deployed', 'Failed to build and deploy'],
  rollback_application: ['Rolling back', 'Rolled back', 'Failed to roll back'],
  restart_application: ['Restarting', 'Restarted', 'Failed to restart'],
  start_application: ['Starting', 'Started', 'Failed to start'],
  stop_application: ['Stopping', 'Stopped', 'Failed to stop'],
}

const deploymentVerbs = ({ type }: DeploymentRow) =>
  verbs[type] ?? ['Deploying', 'Deployed', 'Failed to deploy']

type DeploymentFields = Pick<RenderedMessage, 'severity' | 'title' | 'text'> &
  Partial<Pick<RenderedMessage, 'key' | 'facts' | 'lines'>>

const renderDeployment =
  (
    render: (row: DeploymentRow, event: NotifiedEvent, ctx: Context, trx: Trx) => Promise<DeploymentFields>,
  ): RenderMessage =>
  async (ctx, trx, event) => {
    const row = await getDeploymentRow(trx, event.workspace_id, event.about as Id<'deployment'>)
    const { id, application_id, server_id } = row
    const path = `/dashboard/applications/${application_id}/deployments?deploymentId=${id}`
    return maskSecrets(ctx, trx, row, {
      kind: 'happened',
      link: { label: 'View deployment', url: `${ctx.config.PUBLIC_URL}${path}` },
      ids: { deployment_id: id, application_id, server_id },
      facts: deploymentFacts(row),
      lines: [],
      ...(await render(row, event, ctx, trx)),
    })
  }

export const deploymentStarted = renderDeployment(async (row) => ({
  severity: 'info',
  title: `${deploymentVerbs(row)[0]} ${row.application_name}`,
  text: sentence(row.message),
}))

export const deploymentSucceeded = renderDeployment(async (row, _event, _ctx, trx) => {
  const { type, workspace_id, application_id } = row
  const url = type === 'stop_application' ? null : await findApplicationUrl(trx, workspace_id, application_id)
  return {
    severity: 'good',
    title: `${deploymentVerbs(row)[1]} ${row.application_name}`,
    text: sentence(row.message),
    facts: [...deploymentFacts(row), ...(url ? [{ label: 'URL', value: url }] : [])],
  }
})

export const deploymentFailed = renderDeployment(async (row, _event, ctx, trx) => {
  const [reason, ...containerLines] = openErrors(ctx, row)
  return {
    key: deploymentFailedKey(row.id),
    severity: 'critical',
    title: `${deploymentVerbs(row)[2]} ${row.application_name}`,
    text: reason ?? 'The deployment failed. See its log for details.',
    lines:
      containerLines.length > 0
        ? containerLines
        : await readLastLines(ctx, trx, row.workspace_id, row.id, shownLines),
  }
})

export const applicationCrashed = renderDeployment(async (row, { detail }, ctx) => {
  const errors = openErrors(ctx, row)
  const index = errors.indexOf(detail ?? '')
  return {
    severity: 'critical',
    title: `${row.application_name} crashed after deploying`,
    text: detail ?? '',
    lines: index < 0 ? [] : errors.slice(index + 1),
  }
})

function deploymentFacts(row: DeploymentRow): RenderedMessage['facts'] {
  const { commit, started_at, finished_at } = row
  const all: Record<string, string | null> = {
    Application: row.application_name,
    Server: row.server_name,
    Release: row.release_number === null ? null : String(row.release_number),
    Image: row.tag,
    Commit: commit && [commit.sha.slice(0, 7), commit.message].join(' ').trim(),
    'Requested by': row.actor_name,
    Duration: started_at && finished_at && formatDuration(started_at, finished_at),
  }
  return Object.entries(all).flatMap(([label, value]) => (value ? [{ label, value }] : []))
}

const sentence = (message: string | null) => (message ? `${message}.` : '')
