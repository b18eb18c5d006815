import { expect, it } from 'vitest'
import { fillPath } from './fill-path.ts'

it('inserts encoded parameters', () => {
  expect(fillPath('/v1/servers/{id}/image/{name}', { params: { id: 'srv_1', name: 'a/b c?' } })).toBe(
    '/v1/servers/srv_1/image/a%2Fb%20c%3F',
  )
})

it('appends the query without undefined and null values', () => {
  expect(
    fillPath('/v1/servers', { query: { q: 'web & db', limit: 1, cursor: undefined, since: null } }),
  ).toBe('/v1/servers?q=web+%26+db&limit=1')
})

it('adds no question mark without a query', () => {
  expect(fillPath('/v1/user', {})).toBe('/v1/user')
})

it('rejects a path with a missing parameter', () => {
  expect(() => fillPath('/v1/servers/{id}', {})).toThrow('/v1/servers/{id} needs id.')
})
