import { expect, test } from 'vitest'
import { api } from '../../contract/api.ts'
import { documentationUrl } from './documentation-url.ts'

test.each([
  ['/dashboard', '/docs'],
  ['/dashboard/applications', '/docs#applications'],
  ['/dashboard/applications/app_1', '/docs#applications'],
  ['/dashboard/applications/app_1/environment', '/docs#application-entries'],
  ['/dashboard/applications/app_1/networking', '/docs#domains'],
  ['/dashboard/applications/app_1/deployments', '/docs#deployments'],
  ['/dashboard/servers/srv_1/containers/abc', '/docs#containers'],
  ['/dashboard/servers/srv_1/containers/abc/logs', '/docs#logs'],
  ['/dashboard/servers/srv_1/containers/abc/terminal', '/docs#terminals'],
  ['/dashboard/servers/srv_1/terminal', '/docs#terminals'],
  ['/dashboard/import/servers', '/docs#imports'],
  ['/dashboard/notifications', '/docs#alerts'],
  ['/dashboard/notifications/channels', '/docs#notifications'],
  ['/dashboard/settings', '/docs#user'],
  ['/dashboard/settings/cloud-tokens', '/docs#cloud-tokens'],
  ['/dashboard/workspace', '/docs#workspaces'],
  ['/dashboard/workspace/domains', '/docs#domains'],
  ['/dashboard/workspace/audit', '/docs#audit'],
  ['/dashboard/workspace/api-tokens', '/docs#api-tokens'],
  ['/dashboard/integrations/deliveries', '/docs#webhooks'],
])('opens the documentation of %s at %s', (page, url) => {
  expect(documentationUrl('/docs', page)).toBe(url)
  const sections = ['start', ...api.map(({ area }) => area)]
  expect(sections).toContain(url.split('#')[1] ?? 'start')
})

test('opens other documentation at its start', () => {
  expect(documentationUrl('https://docs.example.com', '/dashboard/servers')).toBe('https://docs.example.com')
})
