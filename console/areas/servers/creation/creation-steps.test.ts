import { expect, test } from 'vitest'
import { cloudSteps } from '../../../../contract/servers.ts'
import { type Cloud, creationSteps, creationProgressText } from './creation-steps.ts'

const cloudAt = (step: Cloud['step']): Cloud => ({
  provider: 'hetzner',
  provider_name: 'Hetzner',
  cloud_token_id: null,
  id: null,
  url: null,
  origin: 'created',
  step,
  image: null,
  image_id: null,
  price: null,
  status: 'unknown',
  seen_at: null,
  address: null,
  drift: [],
})

const states = (status: 'provisioning' | 'failed' | 'setting_up', step: Cloud['step']) =>
  creationSteps({ status, cloud: cloudAt(step) }).map(({ state }) => state)

test.each([
  ['key', ['now', 'waiting', 'waiting']],
  ['create', ['now', 'waiting', 'waiting']],
  ['boot', ['done', 'now', 'waiting']],
  ['call', ['done', 'done', 'now']],
  [null, ['done', 'done', 'done']],
] as const)('marks the steps before %s as done', (step, expected) => {
  expect(states('provisioning', step)).toEqual(expected)
})

test('shows the step in which the creation failed', () => {
  expect(states('failed', 'create')).toEqual(['failed', 'waiting', 'waiting'])
  expect(states('failed', 'call')).toEqual(['done', 'done', 'failed'])
})

test.each(cloudSteps)('describes what step %s waits for', (step) => {
  expect(creationProgressText(cloudAt(step))).toMatch(/^[A-Z].*\.$/)
})
