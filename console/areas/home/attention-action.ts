import type { Home } from './queries.ts'
import { applicationPath, channelPath, deploymentPath, incidentPath, serverPath } from '../../paths.ts'

export type Attention = Home['attention'][number]

export function attentionPath({ kind, target, deployment_id: deployment }: Attention): string {
  if (target.kind === 'incident') return incidentPath(target.id)
  if (target.kind === 'notification') return channelPath(target.id)
  if (target.kind === 'server') return serverPath(target.id)
  if (kind === 'deployment_failed' && deployment !== null) return deploymentPath(target.id, deployment)
  return applicationPath(target.id, kind.startsWith('certificate_') ? 'networking' : undefined)
}

interface Action {
  label: string
  to: string
}

/** Returns the action that most likely solves the problem. */
export function attentionAction(item: Attention): Action {
  const { kind, target } = item
  const there = attentionPath(item)
  if (kind === 'disk_full') return { label: 'Free disk space', to: serverPath(target.id, 'images') }
  if (kind === 'application_failed' || kind === 'application_degraded')
    return { label: 'View logs', to: applicationPath(target.id, 'logs') }
  if (target.kind === 'incident') return incidentAction(item)
  return { label: labels[kind] ?? 'View', to: there }
}

const labels: Partial<Record<Attention['kind'], string>> = {
  server_unreachable: 'Reconnect',
  server_failed: 'Fix setup',
  deployment_failed: 'View deployment',
  certificate_failed: 'Fix domain',
  certificate_expiring: 'Renew',
  channel_paused: 'Fix channel',
}

function incidentAction({ target, alert }: Attention): Action {
  const { kind, server_id: server, application_id: application } = alert ?? {}
  if (server && kind === 'disk') return { label: 'Free disk space', to: serverPath(server, 'images') }
  if (application && kind === 'certificate_expiry')
    return { label: 'Renew', to: applicationPath(application, 'networking') }
  if (application && kind === 'deployment_failed')
    return { label: 'View deployments', to: applicationPath(application, 'deployments') }
  if (application && kind?.startsWith('container_'))
    return { label: 'View logs', to: applicationPath(application, 'logs') }
  if (application) return { label: 'View metrics', to: applicationPath(application, 'metrics') }
  if (server) return { label: 'View server', to: serverPath(server) }
  return { label: 'View', to: incidentPath(target.id) }
}
