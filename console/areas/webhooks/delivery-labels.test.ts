import { expect, test } from 'vitest'
import { deliveryBadge, prettyPrintJson, describeOutcome, describeEvent } from './delivery-labels.ts'

const sha = 'a489893e1413007f4b073ed4a09979b4e5d20eba'

test('describes an event with its branch or tag', () => {
  const push = { hook: 'github', event: 'push', ref: 'a/b', is_tag: false, sha } as const
  expect(describeEvent(push)).toBe('Push to a/b')
  expect(describeEvent({ ...push, ref: 'v1', is_tag: true })).toBe('Tag v1')
  expect(describeEvent({ ...push, sha: '0'.repeat(40) })).toBe('a/b deleted')
  expect(describeEvent({ ...push, event: 'ping', ref: null })).toBe('Ping')
  expect(describeEvent({ ...push, hook: 'deploy', event: 'deploy', ref: null, sha: null })).toBe(
    'Deploy hook',
  )
})

const shop = {
  application: { id: 'app_1' as const, name: 'shop' },
  status: 'ignored' as const,
  summary: 'No watched file changed.',
  deployment_id: null,
  deployment_status: null,
}

test('describes the outcome of the first application and counts the others', () => {
  expect(describeOutcome({ status: 'waiting', outcomes: [] })).toBe('Not processed yet.')
  expect(describeOutcome({ status: 'ignored', outcomes: [] })).toBe('No applications affected.')
  expect(describeOutcome({ status: 'ignored', outcomes: [shop] })).toBe('shop: No watched file changed.')
  expect(describeOutcome({ status: 'ignored', outcomes: [{ ...shop, application: null }, shop] })).toBe(
    'No watched file changed. And 1 more.',
  )
})

test('shows the status of the deployments of a delivery, failures first', () => {
  const asked = { ...shop, status: 'deployed' as const, deployment_id: 'dep_1' as const }
  const push = { hook: 'github', event: 'push', status: 'deployed' } as const
  const word = (...statuses: ('running' | 'completed' | 'failed' | null)[]) =>
    deliveryBadge({
      ...push,
      outcomes: [...statuses.map((deployment_status) => ({ ...asked, deployment_status })), shop],
    }).word
  expect(word('completed')).toBe('Deployed')
  expect(word('completed', 'running')).toBe('Deploying…')
  expect(word('running', 'failed', 'completed')).toBe('Deployment failed')
  // The deployment was deleted with its application.
  expect(word(null)).toBe('Deployed')
})

test('labels account events as noted and events without deployment as ignored', () => {
  const came = { hook: 'github', status: 'ignored', outcomes: [shop] } as const
  expect(deliveryBadge({ ...came, outcomes: [shop], event: 'installation' }).word).toBe('Processed')
  expect(deliveryBadge({ ...came, outcomes: [shop], event: 'push' }).word).toBe('Ignored')
})

test('formats a JSON payload', () => {
  expect(prettyPrintJson('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}')
  expect(prettyPrintJson('a=1')).toBe('a=1')
})
