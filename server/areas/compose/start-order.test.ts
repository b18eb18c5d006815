import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Model } from './model.ts'
import { listDependencies, startWaves } from './start-order.ts'

const modelWith = (services: Model['services']): Model => ({
  services,
  networks: {},
  volumes: {},
  secrets: {},
  configs: {},
})

const on = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, { condition: 'service_started' as const, required: true }]))

test('starts independent services together and ignores those not to be started', () => {
  const model = modelWith({
    web: { depends_on: on('api', 'cache') },
    api: { depends_on: on('db') },
    cache: {},
    db: {},
  })
  expect(startWaves(model, ['web', 'api', 'cache', 'db'])).toEqual([['cache', 'db'], ['api'], ['web']])
  expect(startWaves(model, ['web', 'cache'])).toEqual([['cache'], ['web']])
  expect(startWaves(model, [])).toEqual([])
})

test('starts a service after those it shares resources with', () => {
  const service = {
    network_mode: 'service:vpn',
    pid: 'service:app',
    volumes_from: ['data:ro', 'container:x'],
    links: ['db:sql'],
  }
  expect(Object.keys(listDependencies(service))).toEqual(['vpn', 'app', 'data', 'db'])
  const healthy = { db: { condition: 'service_healthy' as const, required: true } }
  expect(listDependencies({ links: ['db'], depends_on: healthy })).toEqual(healthy)
})

test('names the services of a cycle', () => {
  const model = modelWith({
    web: { depends_on: on('api') },
    api: { depends_on: on('db') },
    db: { depends_on: on('api') },
  })
  expect(() => startWaves(model, ['web', 'api', 'db'])).toThrow('Circular dependency: api → db → api.')
})

test('lists each service once and after its dependencies', () => {
  const shape = fc.array(fc.array(fc.nat(30), { maxLength: 5 }), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(shape, (all) => {
      const services = all.map((waits, at): [string, Model['services'][string]] => [
        `s${at}`,
        { depends_on: on(...waits.filter((other) => other < at).map((other) => `s${other}`)) },
      ])
      const model = modelWith(Object.fromEntries(services.toReversed()))
      const names = Object.keys(model.services)
      const waves = startWaves(model, names)
      expect(waves.flat().toSorted()).toEqual(names.toSorted())
      const at = new Map(waves.flatMap((wave, index) => wave.map((name) => [name, index])))
      for (const [name, service] of services)
        for (const other of Object.keys(listDependencies(service)))
          expect(at.get(other)).toBeLessThan(at.get(name) ?? -1)
    }),
  )
})
