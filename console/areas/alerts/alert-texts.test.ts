import { expect, test } from 'vitest'
import type { AlertKindName } from '../../../contract/shared/alert-kinds.ts'
import { defaultAlert } from '../../../contract/shared/alert-kinds.ts'
import { alertBadge, formatChannels, formatCondition, formatScope } from './alert-texts.ts'
import type { Alert } from './queries.ts'

const usual = (kind: AlertKindName) => formatCondition({ kind, check: null, ...defaultAlert(kind) })

test('formats the condition', () => {
  const kinds = ['disk', 'load', 'container_restarting', 'container_oom', 'certificate_expiry'] as const
  expect(kinds.map(usual)).toEqual([
    'Disk above 85 % for 1 minute',
    'Load above 2 per core for 5 minutes',
    'Container restarting more than 2 times within 10 minutes',
    'Out of memory',
    'Certificate expires in less than 14 days',
  ])
  expect(usual('deployment_failed')).toBe('Deployment failed')
  const check = { path: '/health', latency_ms: 1500 }
  expect(formatCondition({ kind: 'http_check', ...defaultAlert('http_check'), check })).toBe(
    'HTTP check failing at /health or slower than 1,500 ms for 1 minute',
  )
})

test('formats the scope with its name', () => {
  const scope = (kind: AlertKindName, of: Alert['scope']['kind'], name: string | null = 'Shop') =>
    formatScope({ kind, scope: { kind: of, id: 'x', name, container: of === 'container' ? 'db' : null } })
  expect(scope('cpu', 'all')).toBe('All servers')
  expect(scope('cpu', 'server', 'web-1')).toBe('web-1')
  expect(scope('cpu', 'project')).toBe('Servers in project Shop')
  expect(scope('container_cpu', 'server', 'web-1')).toBe('Containers on web-1')
  expect(scope('container_cpu', 'container', 'web-1')).toBe('db on web-1')
  expect(scope('deployment_failed', 'application', null)).toBe('Deleted resource')
})

test('shows a disabled or muted alert as such, whatever fires', () => {
  expect(alertBadge({ state: 'off', firing: 1 }).word).toBe('Off')
  expect(alertBadge({ state: 'muted', firing: 1 }).word).toBe('Muted')
  expect(alertBadge({ state: 'firing', firing: 3 })).toEqual({ tone: 'red', word: 'Firing 3×' })
  expect([null, [], ['ntf_a' as const]].map(formatChannels)).toEqual(['All channels', 'None', '1 channel'])
})
