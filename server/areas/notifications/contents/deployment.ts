import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import type { Trx } from '../../../tables.ts'
import { findApplicationUrl } from '../../applications/application-url.ts'
import { type DeploymentRow, getDeploymentRow } from '../../deployments/run/deployment.ts'
import { openErrors } from '../../deployments/run/sealed-columns.ts'
import { readLastLines } from '../../outputs/output.ts'
import {
  formatDuration,
  maskSecrets,
  type NotifiedEvent,
  type RenderedMessage,
  type RenderMessage,
} from './rendered-message.ts'
import { deploymentFailedKey } from './alert.ts'

const shownLines = 15

const verbs: Record<string, readonly [began: string, done: string, failed: string]> = {
  build_application: ['Building', 'Built and deployed', 'Failed to build and deploy'],
  rollback_application: ['Rolling back', 'Rolled back', 'Failed to roll back'],
  restart_application: ['Restarting', 'Restarted', 'Failed to restart'],
  start_application: ['Starting', 'Started', 'Failed to start'],
  stop_application: ['Stopping', 'Stopped', 'Failed to stop'],
}

const verbsOf = ({ type }: DeploymentRow) => verbs[type] ?? ['Deploying', 'Deployed', 'Failed to deploy']

const read = (trx: Trx, { workspace_id, about }: NotifiedEvent) =>
  getDeploymentRow(trx, workspace_id, about as Id<'deployment'>)

export const deploymentStarted: RenderMessage = async (ctx, trx, event) => {
  const row = await read(trx, event)
  return maskSecrets(ctx, trx, row, {
    ...wordsOf(ctx, row),
    severity: 'info',
    title: `${verbsOf(row)[0]} ${row.application_name}`,
    text: sentence(row.message),
    facts: factsOf(row),
    lines: [],
  })
}

export const deploymentSucceeded: RenderMessage = async (ctx, trx, event) => {
  const row = await read(trx, event)
  const address =
    row.type === 'stop_application'
      ? null
      : await findApplicationUrl(trx, event.workspace_id, row.application_id)
  return maskSecrets(ctx, trx, row, {
    ...wordsOf(ctx, row),
    severity: 'good',
    title: `${verbsOf(row)[1]} ${row.application_name}`,
    text: sentence(row.message),
    facts: [...factsOf(row), ...(address ? [{ label: 'URL', value: address }] : [])],
    lines: [],
  })
}

export const deploymentFailed: RenderMessage = async (ctx, trx, event) => {
  const row = await read(trx, event)
  const [reason, ...containerLines] = openErrors(ctx, row)
  return maskSecrets(ctx, trx, row, {
    ...wordsOf(ctx, row),
    key: deploymentFailedKey(row.id),
    severity: 'critical',
    title: `${verbsOf(row)[2]} ${row.application_name}`,
    text: reason ?? 'The deployment failed. See its log for details.',
    facts: factsOf(row),
    lines:
      containerLines.length > 0
        ? containerLines
        : await readLastLines(ctx, trx, event.workspace_id, row.id, shownLines),
  })
}

export const applicationCrashed: RenderMessage = async (ctx, trx, event) => {
  const row = await read(trx, event)
  const errors = openErrors(ctx, row)
  const told = errors.indexOf(event.detail ?? '')
  return maskSecrets(ctx, trx, row, {
    ...wordsOf(ctx, row),
    severity: 'critical',
    title: `${row.application_name} crashed after deploying`,
    text: event.detail ?? '',
    facts: factsOf(row),
    lines: told < 0 ? [] : errors.slice(told + 1),
  })
}

const wordsOf = (
  { config }: Pick<Context, 'config'>,
  row: DeploymentRow,
): Pick<RenderedMessage, 'kind' | 'link' | 'ids'> => ({
  kind: 'happened',
  link: {
    label: 'View deployment',
    url: `${config.PUBLIC_URL}/dashboard/applications/${row.application_id}/deployments?deploymentId=${row.id}`,
  },
  ids: { deployment_id: row.id, application_id: row.application_id, server_id: row.server_id },
})

function factsOf(row: DeploymentRow): RenderedMessage['facts'] {
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
