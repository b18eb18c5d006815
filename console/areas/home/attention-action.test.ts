import { expect, test } from 'vitest'
import { type Attention, attentionAction } from './attention-action.ts'

const item = (given: Partial<Attention>): Attention => ({
  kind: 'server_unreachable',
  summary: '',
  reason: null,
  target: { kind: 'server', id: 'srv_1', name: 'web-1' },
  deployment_id: null,
  alert: null,
  since: '2026-11-15T10:00:00.000Z',
  ...given,
})
const application = { kind: 'application', id: 'app_1', name: 'shop' } as const
const incident = { kind: 'incident', id: 'inc_1', name: 'web-1' } as const

test.each<[string, string, Partial<Attention>]>([
  ['Reconnect', '/dashboard/servers/srv_1', {}],
  ['Free disk space', '/dashboard/servers/srv_1/images', { kind: 'disk_full' }],
  ['View logs', '/dashboard/applications/app_1/logs', { kind: 'application_failed', target: application }],
  [
    'View deployment',
    '/dashboard/applications/app_1/deployments?deploymentId=dep_1',
    { kind: 'deployment_failed', target: application, deployment_id: 'dep_1' },
  ],
  [
    'Renew',
    '/dashboard/applications/app_1/networking',
    { kind: 'certificate_expiring', target: application },
  ],
  [
    'Free disk space',
    '/dashboard/servers/srv_2/images',
    {
      kind: 'alert_warning',
      target: incident,
      alert: { kind: 'disk', server_id: 'srv_2', application_id: null },
    },
  ],
  [
    'View metrics',
    '/dashboard/applications/app_2/metrics',
    {
      kind: 'alert_warning',
      target: incident,
      alert: { kind: 'http_check', server_id: 'srv_2', application_id: 'app_2' },
    },
  ],
  ['View', '/dashboard/notifications?incident=inc_1', { kind: 'alert_warning', target: incident }],
])('offers “%s” at %s', (label, to, given) => {
  expect(attentionAction(item(given))).toEqual({ label, to })
})
