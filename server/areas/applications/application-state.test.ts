import { describe, expect, test } from 'vitest'
import type { ApplicationFacts, InstanceFacts } from './application-facts.ts'
import { computeServiceState } from './list-services.ts'
import { computeApplicationState } from './application-state.ts'

const serving = (more: Partial<InstanceFacts> = {}): InstanceFacts => ({
  id: 'ins_1',
  service: '',
  state: 'serving',
  completes: false,
  name: 'shop-1-1-abcd',
  container: 'running',
  health: null,
  exit_code: null,
  restarts: 0,
  recent: false,
  ...more,
})

const facts = (instances: InstanceFacts[], more: Partial<ApplicationFacts> = {}): ApplicationFacts => ({
  id: 'app_1',
  server_name: 'web-1',
  project: null,
  server_status: 'ready',
  server_reason: null,
  http_port: 80,
  https_port: 443,
  live: true,
  was_live: true,
  release_number: 1,
  release_commit: null,
  repository: null,
  favicon_key: null,
  release_image: 'rig/app:1',
  is_older: false,
  replicas: 2,
  instances,
  routed: [''],
  crashed: null,
  deployment: null,
  address: null,
  usage: null,
  proxy_error: null,
  ...more,
})

const running = { wanted: 'running' } as const
const stopped = { wanted: 'stopped' } as const

describe('the state of an application', () => {
  test('is crashing until a restarted container has run for two minutes', () => {
    const crashing = { restarts: 4, recent: true } as const
    const one = (more: Partial<InstanceFacts>) =>
      computeApplicationState(running, facts([serving({ ...crashing, ...more })], { replicas: 1 }))
    const expected = {
      state: 'crashing',
      reason: 'Container shop-1-1-abcd crashed and was restarted 4 times.',
      containers: { restarts: 4, running: 0, routed: 0, wanted: 1 },
    }
    expect(one({})).toEqual(expected)
    expect(one({ container: 'restarting', exit_code: 1 })).toEqual(expected)
    expect(one({ health: 'healthy' })).toEqual(expected)
    expect(one({ recent: false }).state).toBe('running')
    expect(one({ container: 'exited', exit_code: 1 }).state).toBe('failed')
    expect(one({ completes: true }).state).toBe('running')
    expect(computeApplicationState(running, facts([serving(), serving(crashing)]))).toEqual({
      state: 'degraded',
      reason: 'Container shop-1-1-abcd crashed and was restarted 4 times.',
      containers: { restarts: 4, running: 1, routed: 1, wanted: 2 },
    })
  })

  test('is that of the live containers', () => {
    expect(computeApplicationState(running, facts([serving(), serving()]))).toEqual({
      state: 'running',
      reason: null,
      containers: { restarts: 0, running: 2, routed: 2, wanted: 2 },
    })
    expect(
      computeApplicationState(running, facts([serving(), serving({ container: 'exited', exit_code: 137 })])),
    ).toEqual({
      state: 'degraded',
      reason: 'Container shop-1-1-abcd exited with code 137.',
      containers: { restarts: 0, running: 1, routed: 1, wanted: 2 },
    })
    const gone = serving({ container: null, name: null })
    expect(computeApplicationState(running, facts([gone, gone]))).toEqual({
      state: 'failed',
      reason: 'A container was removed from the server. 1 more container is affected.',
      containers: { restarts: 0, running: 0, routed: 0, wanted: 2 },
    })
    expect(computeApplicationState(running, facts([]))).toMatchObject({ state: 'failed' })
    expect(computeApplicationState(running, facts([serving()]))).toMatchObject({ state: 'degraded' })
  })

  test('counts health checks and ignores starting and draining containers', () => {
    const unhealthy = facts([serving({ health: 'healthy' }), serving({ health: 'unhealthy' })])
    expect(computeApplicationState(running, unhealthy)).toMatchObject({
      state: 'degraded',
      containers: { restarts: 0, running: 1 },
    })
    const others = [serving({ state: 'starting' }), serving({ state: 'draining' })]
    expect(computeApplicationState(running, facts(others))).toMatchObject({
      state: 'failed',
      containers: { restarts: 0, running: 0 },
    })
  })

  test('is unknown while the server is unreachable', () => {
    const away = { live: false, server_status: 'unreachable', server_reason: 'It does not answer.' } as const
    expect(computeApplicationState(running, facts([serving()], away))).toMatchObject({
      state: 'unknown',
      reason: 'It does not answer.',
      containers: { restarts: 0, running: 0, wanted: 2 },
    })
    expect(computeApplicationState(running, facts([serving()], { live: false })).reason).toMatch(
      /^Status unknown: Slipway is connecting to web-1/,
    )
    expect(computeApplicationState(running, facts([], { ...away, was_live: false }))).toMatchObject({
      state: 'never_deployed',
    })
  })

  test('ignores completed services and names unhealthy ones', () => {
    const prepare = serving({ service: 'prepare', completes: true, container: 'exited', exit_code: 0 })
    const web = serving({ service: 'web' })
    expect(computeApplicationState(running, facts([prepare, web], { routed: ['web', 'gone'] }))).toEqual({
      state: 'running',
      reason: null,
      containers: { restarts: 0, running: 1, routed: 1, wanted: 1 },
    })
    expect(computeApplicationState(running, facts([prepare], { replicas: 1 }))).toMatchObject({
      state: 'running',
      containers: { restarts: 0, running: 0, wanted: 0 },
    })
    expect(computeApplicationState(running, facts([{ ...prepare, exit_code: 3 }, web]))).toMatchObject({
      state: 'degraded',
      reason: 'prepare exited with code 3.',
      containers: { restarts: 0, running: 1, wanted: 2 },
    })
    const dead = serving({ service: 'db', container: 'exited', exit_code: 1 })
    const unhealthy = serving({ service: 'web', health: 'unhealthy' })
    expect(
      computeApplicationState(running, facts([dead, web, unhealthy], { replicas: 3, routed: [] })),
    ).toEqual({
      state: 'degraded',
      reason: 'db exited with code 1. web is unhealthy as well.',
      containers: { restarts: 0, running: 1, routed: 0, wanted: 3 },
    })
    expect(computeApplicationState(running, facts([web, unhealthy])).reason).toBe(
      'A container of web is unhealthy: its health check fails.',
    )
    const held = serving({ service: 'db', state: 'held', container: 'exited' })
    expect(computeApplicationState(running, facts([held, web]))).toMatchObject({
      state: 'degraded',
      reason: 'db is stopped while its new version starts.',
    })
  })

  test('of a service is computed from its own containers', () => {
    const completed = serving({ service: 'a', completes: true, container: 'exited', exit_code: 0 })
    const stateWith = (instance: InstanceFacts, replicas = 1) =>
      computeServiceState(running, { replicas }, facts([instance], { crashed: 'Another crashed.' }))
    expect(stateWith(completed)).toMatchObject({ state: 'completed', running: 0, wanted: 0 })
    expect(stateWith(serving())).toEqual({ state: 'running', reason: null, running: 1, wanted: 1 })
    expect(stateWith(serving({ health: 'starting' }))).toMatchObject({ state: 'starting' })
    expect(stateWith(serving({ state: 'held' }))).toMatchObject({ state: 'starting' })
    expect(stateWith(serving(), 2)).toMatchObject({ state: 'degraded', running: 1, wanted: 2 })
    expect(stateWith(serving({ container: null }))).toMatchObject({ state: 'failed' })
  })

  test('reports a crash after deploying while that release is live', () => {
    const crashed = 'It exited with code 1 soon after its deployment.'
    expect(computeApplicationState(running, facts([serving(), serving()], { crashed })).reason).toBe(crashed)
    expect(computeApplicationState(running, facts([], { crashed }))).toMatchObject({
      state: 'failed',
      reason: crashed,
    })
  })

  test('is stopped once no container is running', () => {
    expect(computeApplicationState(stopped, facts([serving({ state: 'draining' })]))).toMatchObject({
      state: 'running',
    })
    const stopping = {
      id: 'dep_1',
      type: 'stop_application',
      status: 'running',
      cancelling: false,
      crashed: false,
      actor: { name: 'Ada' },
      created_at: '',
    } as const
    expect(
      computeApplicationState(running, facts([serving(), serving()], { deployment: stopping })),
    ).toMatchObject({
      state: 'running',
      reason: 'Stopping.',
    })
    const over = serving({ state: 'stopped', container: 'exited' })
    // The start is in progress and may fail.
    expect(computeApplicationState(stopped, facts([over, serving({ state: 'starting' })]))).toMatchObject({
      state: 'stopped',
    })
    expect(computeApplicationState(stopped, facts([over]))).toMatchObject({
      state: 'stopped',
      reason: null,
      containers: { restarts: 0, running: 0, wanted: 0 },
    })
    expect(computeApplicationState(stopped, facts([{ ...over, container: 'running' }]))).toMatchObject({
      state: 'degraded',
    })
  })
})
