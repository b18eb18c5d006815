import { expect, test } from 'vitest'
import { resolveOrder } from './offers.ts'
import type { Region, ServerImage, ServerType } from './queries.ts'

const region = (id: string, available = true): Region => ({
  id,
  name: id.toUpperCase(),
  country: 'DE',
  available,
})

const at = (id: string, monthly: number, available = true) => ({
  id,
  available,
  price: { monthly, hourly: null, taxed: true, currency: 'EUR' },
})

const type = (id: string, regions: ServerType['regions'], arm = false): ServerType => ({
  id,
  name: id,
  cpus: 2,
  cpu_kind: 'shared',
  architecture: arm ? 'aarch64' : 'x86_64',
  memory_bytes: 2 ** 32,
  disk_bytes: 2 ** 35,
  regions,
})

const image = (
  id: string,
  architectures: ServerImage['architectures'],
  recommended = false,
): ServerImage => ({
  id,
  name: id,
  family: 'debian',
  architectures,
  recommended,
})

const catalog = {
  regions: [region('fsn1'), region('hel1'), region('ash', false)],
  types: [
    type('cx32', [at('fsn1', 6.8), at('hel1', 6.8)]),
    type('cx22', [at('fsn1', 3.8, false), at('hel1', 3.9)]),
    type('cax11', [at('fsn1', 3.9)], true),
    type('cpx11', [at('ash', 5)]),
  ],
  images: [image('debian-12', ['x86_64', 'aarch64'], true), image('rocky-9', ['x86_64'])],
}

test('a region offers what it has, cheapest first, and says where what is sold out is to be had', () => {
  const { offers } = resolveOrder(catalog, { region: 'fsn1', type: '', image: '' })
  expect(offers.map(({ type: { id }, available, elsewhere }) => [id, available, elsewhere])).toEqual([
    ['cx22', false, ['HEL1']],
    ['cax11', true, []],
    ['cx32', true, []],
  ])
})

test.each([
  ['a type that is sold out there', { region: 'fsn1', type: 'cx22' }],
  ['a type that is not offered there', { region: 'hel1', type: 'cax11' }],
  ['a type of another cloud', { region: 'fsn1', type: 's-1vcpu-1gb' }],
  ['an unavailable region', { region: 'ash', type: 'cpx11' }],
])('%s is not chosen, whatever a link says', (_, wanted) => {
  expect(resolveOrder(catalog, { ...wanted, image: '' }).offer).toBeUndefined()
})

test('the recommended image stands in for none, and for one that does not fit the processor', () => {
  const chosen = (typeId: string, imageId: string) =>
    resolveOrder(catalog, { region: 'fsn1', type: typeId, image: imageId }).image?.id
  expect(chosen('cx32', '')).toBe('debian-12')
  expect(chosen('cx32', 'rocky-9')).toBe('rocky-9')
  expect(chosen('cax11', 'rocky-9')).toBe('debian-12')
})
