import { expect, test } from 'vitest'
import type { Cloud } from './creation/creation-steps.ts'
import { deleteOptions } from './delete-options.ts'

const cloud: Cloud = {
  provider: 'hetzner',
  provider_name: 'Hetzner',
  cloud_token_id: 'cld_1',
  id: '42',
  url: null,
  origin: 'created',
  step: null,
  image: 'Debian 12',
  image_id: 'debian-12',
  price: { monthly: 4.51, currency: 'EUR' },
  status: 'running',
  seen_at: null,
  address: null,
  drift: [],
}

const choices = (given: Partial<Cloud> = {}, status: 'ready' | 'provisioning' | 'failed' = 'ready') =>
  deleteOptions({ status, cloud: { ...cloud, ...given } })
const open = (...given: Parameters<typeof choices>) =>
  choices(...given).flatMap((choice) => (choice.open ? [choice.fate] : []))

test('destroys created servers and keeps imported ones by default', () => {
  expect(open()).toEqual(['destroy', 'keep'])
  expect(open({ origin: 'imported' })).toEqual(['keep', 'destroy'])
})

test('offers no choice without a cloud or for a server deleted there', () => {
  expect(deleteOptions({ status: 'ready', cloud: null })).toEqual([])
  expect(open({ status: 'deleted' })).toEqual([])
})

test('explains an unavailable choice and does not preselect it', () => {
  expect(open({ cloud_token_id: null })).toEqual(['keep'])
  expect(choices({ cloud_token_id: null })[0]?.help).toContain('no cloud token')
  expect(open({ step: 'create', id: null }, 'provisioning')).toEqual(['destroy'])
  expect(open({ step: 'boot' }, 'provisioning')).toEqual(['destroy', 'keep'])
})

test('warns that other servers with its tag are destroyed too, even if the server is gone', () => {
  const drift: Cloud['drift'] = [{ kind: 'duplicated', text: 'Another server carries its mark.' }]
  const destroyOf = (given: Partial<Cloud>) => choices(given).find(({ fate }) => fate === 'destroy')
  expect(destroyOf({})?.help).not.toContain('mark')
  expect(destroyOf({ drift })?.help).toContain('all servers with the same tag')
  expect(open({ drift, status: 'deleted' })).toEqual(['destroy', 'keep'])
  expect(destroyOf({ drift, status: 'deleted' })?.label).toBe('Destroy the remaining servers at Hetzner')
})

test('shows the cost of keeping the server when known', () => {
  const helpOf = (given: Partial<Cloud>) => choices(given).find(({ fate }) => fate === 'keep')?.help
  expect(helpOf({})).toBe(
    'The server keeps running at Hetzner and costs €4.51 a month until you delete it there.',
  )
  expect(helpOf({ price: null })).toBe(
    'The server keeps running at Hetzner and is billed until you delete it there.',
  )
  expect(helpOf({ id: null })).toMatch(/^Everything that was created/)
})
