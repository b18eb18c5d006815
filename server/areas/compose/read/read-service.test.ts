import { expect, test } from 'vitest'
import { modelOf } from '../../../../test/support/factories/compose-model.ts'
import {
  isOneOffService,
  isOptionalService,
  parseDuration,
  readMemoryLimit,
  readReplicas,
  readRestartPolicy,
  readStopSeconds,
  toReleaseService,
} from './read-service.ts'

test('parses durations of compose files', () => {
  expect(['1m30s', '500ms', '1h', '0', '1.5s', '2d'].map(parseDuration)).toEqual([
    90, 0.5, 3600, 0, 1.5, 172_800,
  ])
  expect(['', 'soon', '10', '1m 30s', 's', '-1s'].map(parseDuration)).toEqual(
    Array.from({ length: 6 }, () => undefined),
  )
})

test('reads replicas from deploy, then scale, then 1', () => {
  expect(readReplicas({ deploy: { replicas: 3 }, scale: 2 })).toBe(3)
  expect(readReplicas({ scale: 2 })).toBe(2)
  expect(readReplicas({ deploy: { replicas: 0 } })).toBe(0)
  expect(readReplicas({})).toBe(1)
})

test('reads the restart policy from restart, then deploy', () => {
  const condition = (word: string) => ({ deploy: { restart_policy: { condition: word, max_attempts: 3 } } })
  expect(readRestartPolicy({})).toEqual({ Name: 'no' })
  expect(readRestartPolicy({ restart: 'unless-stopped', ...condition('none') })).toEqual({
    Name: 'unless-stopped',
  })
  expect(readRestartPolicy({ restart: 'on-failure:5' })).toEqual({ Name: 'on-failure', MaximumRetryCount: 5 })
  expect(readRestartPolicy(condition('any'))).toEqual({ Name: 'always' })
  expect(readRestartPolicy(condition('none'))).toEqual({ Name: 'no' })
  expect(readRestartPolicy(condition('on-failure'))).toEqual({ Name: 'on-failure', MaximumRetryCount: 3 })
  expect(readRestartPolicy({ deploy: { restart_policy: {} } })).toEqual({ Name: 'always' })
})

test('reads the grace period in whole seconds, and the memory limit', () => {
  expect(readStopSeconds({})).toBe(10)
  expect(readStopSeconds({ stop_grace_period: '1500ms' })).toBe(2)
  expect(readMemoryLimit({ deploy: { resources: { limits: { memory: 5 } } } })).toBe(5)
  expect(readMemoryLimit({ mem_limit: 0 })).toBeNull()
})

test('is a one-off when another service waits for its completion, or without restart policy and domain', () => {
  const model = modelOf({
    migrate: { restart: 'always' },
    web: { restart: 'always', depends_on: { migrate: { condition: 'service_completed_successfully' } } },
    once: { restart: 'on-failure' },
  })
  expect(isOneOffService('migrate', model, false)).toBe(true)
  expect(isOneOffService('web', model, false)).toBe(false)
  expect(isOneOffService('once', model, false)).toBe(true)
  expect(isOneOffService('once', model, true)).toBe(false)
})

test('is optional when all dependents do not require it and no domain routes to it', () => {
  const needs = (required: boolean) => ({ condition: 'service_healthy' as const, required })
  const model = modelOf({
    web: { depends_on: { cache: needs(false), db: needs(false) } },
    api: { depends_on: { db: needs(true) } },
    cache: {},
    db: {},
  })
  const all = Object.keys(model.services)
  expect(all.filter((name) => isOptionalService(name, model, false))).toEqual(['cache'])
  expect(isOptionalService('cache', model, true)).toBe(false)
})

test('omits values that may be secret from a release', () => {
  const model = modelOf({
    web: { environment: { A: 'hunter2' }, mem_limit: 5, stop_grace_period: '3s' },
    db: {},
  })
  const service = toReleaseService({
    name: 'web',
    model,
    image: 'nginx:1',
    imageId: 'sha256:abc',
    digest: null,
    hash: 'h',
    ports: [
      { service: 'web', host: '', source: 8080, target: 80 },
      { service: 'db', host: '', source: 5432, target: 5432 },
    ],
    routed: false,
  })
  expect(service).toEqual({
    name: 'web',
    image: 'nginx:1',
    digest: null,
    image_id: 'sha256:abc',
    hash: 'h',
    replicas: 1,
    restart: 'no',
    stop_grace_seconds: 3,
    memory_limit: 5,
    ports: [{ host: '', source: 8080, target: 80 }],
    completes: false,
  })
})
