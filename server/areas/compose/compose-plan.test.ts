import { describe, expect, test } from 'vitest'
import { modelOf } from '../../../test/support/factories/compose-model.ts'
import { serviceHash } from './service-hash.ts'
import type { Model } from './model.ts'
import { planComposeServices, type RunningService } from './compose-plan.ts'
import { readReplicas } from './read/read-service.ts'
import { cpuTimeOf } from '../../../test/support/run/cpu-time.ts'

type Services = Parameters<typeof modelOf>[0]

const mark = (text: string) => text

const hashesOf = (model: Model) =>
  Object.fromEntries(
    Object.entries(model.services).map(([name, service]) => [
      name,
      serviceHash(service, model, service.image ?? 'built', mark),
    ]),
  )

const running = (services: Services, more: object = {}): Record<string, RunningService> => {
  const model = modelOf(services, { ...more })
  const hashes = hashesOf(model)
  return Object.fromEntries(
    Object.entries(model.services).map(([name, service]) => [
      name,
      { hash: hashes[name] ?? '', healthy: readReplicas(service), service },
    ]),
  )
}

const plan = (before: Services, after: Services, all = false) => {
  const model = modelOf(after)
  const planned = planComposeServices({
    target: { model, hashes: hashesOf(model) },
    running: running(before),
    all,
  })
  return Object.fromEntries(planned.map(({ name, action, reasons }) => [name, [action, ...reasons]]))
}

const rw = (source: string, type = 'volume') => ({ volumes: [{ type, source, target: '/data' }] })

test('replaces only changed services, and gives the reasons', () => {
  expect(plan({ web: {}, db: {}, old: {} }, { web: { image: 'nginx:2' }, db: {}, new: {} })).toEqual({
    web: ['rolled', 'Image changed from nginx:1 to nginx:2.'],
    db: ['unchanged'],
    new: ['added', 'Not running yet.'],
    old: ['removed', 'No longer in the file.'],
  })
})

test('names changed keys but never a value', () => {
  const secret = 'hunter2'
  const before = { environment: { A: '1', URL: 'x', OLD: 'y' }, labels: { a: secret }, command: [secret] }
  const after = { environment: { A: '1', URL: secret, NEW: secret }, labels: { a: 'b' }, command: ['b'] }
  const { web } = plan({ web: before }, { web: after })
  expect(web).toEqual([
    'rolled',
    'command changed.',
    'environment changed: NEW, OLD, URL.',
    'labels changed: a.',
  ])
  expect(JSON.stringify(web)).not.toContain(secret)
})

test('replaces a service when its image tag has another content', () => {
  const model = modelOf({ web: {} })
  const now = running({ web: {} })
  expect(planComposeServices({ target: { model, hashes: { web: 'other' } }, running: now })).toMatchObject([
    {
      action: 'rolled',
      reasons: [expect.stringContaining('The content of image nginx:1')],
      image: 'nginx:1',
    },
  ])
})

test('replaces services with unhealthy or missing containers', () => {
  const model = modelOf({ web: { scale: 3 } })
  const hashes = hashesOf(model)
  const [same] = Object.values(running({ web: { scale: 3 } }))
  const web = { hash: '', service: null, ...same, healthy: 1 }
  expect(planComposeServices({ target: { model, hashes }, running: { web } })).toMatchObject([
    { action: 'rolled', reasons: ['1 of 3 containers is healthy.'] },
  ])
  expect(plan({ web: { scale: 2 } }, { web: { scale: 3 } })).toEqual({
    web: ['rolled', 'Scaled from 2 to 3 containers.'],
  })
  expect(plan({ web: { scale: 2 } }, { web: { scale: 0 }, off: { scale: 0 } })).toEqual({
    web: ['removed', 'Scaled to 0.'],
    off: ['unchanged', 'Scaled to 0.'],
  })
})

test('replaces every service on a restart', () => {
  expect(plan({ web: {}, db: rw('data') }, { web: {}, db: rw('data') }, true)).toMatchObject({
    web: ['rolled', 'All services restart.'],
    db: ['recreated', 'All services restart.', expect.stringContaining('Writes to data')],
  })
})

describe('the old container must stop first', () => {
  /** Changes the image of one service next to an unchanged one. */
  const replaced = (web: Services[string], db: Services[string] = {}) =>
    plan({ web, db }, { web: { ...web, image: 'nginx:2' }, db })['web']

  test.each([
    ['a name', { container_name: 'mine' }, 'can use the container_name mine'],
    [
      'the server’s network',
      { network_mode: 'host' },
      'Only one container at a time can use its ports in the host network',
    ],
    ['the network of another', { network_mode: 'service:db' }, 'Shares the network'],
    [
      'a port that the proxy cannot carry',
      { ports: [{ target: 53, published: '53', protocol: 'udp' }] },
      'Port 53 uses UDP',
    ],
    ['a fixed address', { networks: { a: { ipv4_address: '10.0.0.2' } } }, 'can use its static address'],
    ['a fixed network card', { mac_address: '02:42:ac:11:65:43' }, 'can use its static address'],
    ['a volume that it writes to', rw('data'), 'Writes to data'],
    ['a folder that it writes to', rw('/srv/data', 'bind'), 'Writes to /srv/data'],
    ['a label that says so', { labels: { 'slipway.roll': 'false' } }, 'turned off by the label slipway.roll'],
    ['the volumes of another', { volumes_from: ['db'] }, 'Writes to shared'],
  ])('for a service with %s', (_, web, says) => {
    // A second writer, such as a backup, makes no difference.
    const db = { volumes: [...rw('data').volumes, ...rw('/srv/data', 'bind').volumes] }
    expect(replaced(web, 'volumes_from' in web ? rw('shared') : db)).toEqual([
      'recreated',
      'Image changed from nginx:1 to nginx:2.',
      expect.stringContaining(says),
    ])
  })

  test.each([
    [
      'a volume that it only reads',
      { volumes: [{ type: 'volume', source: 'data', target: '/data', read_only: true }] },
      {},
    ],
    ['a volume that more than one of it writes to', { ...rw('data'), scale: 2 }, {}],
    ['a label that says so', { ...rw('data'), labels: { 'slipway.roll': 'true' } }, {}],
    ['a port that the proxy carries', { ports: [{ target: 80, published: '8080' }] }, {}],
    ['the Docker socket', rw('/var/run/docker.sock', 'bind'), {}],
    ['the volumes of another, which it only reads', { volumes_from: ['db:ro'] }, rw('shared')],
    ['a tmpfs', { volumes: [{ type: 'tmpfs', target: '/t' }] }, {}],
  ])('not for a service with %s', (_, web, db) => {
    expect(replaced(web, db)?.[0]).toBe('rolled')
  })

  test('for services that share resources with a replaced one, transitively', () => {
    const along = {
      side: { network_mode: 'service:web' },
      debug: { pid: 'service:side' },
      worker: { depends_on: { web: { condition: 'service_started', required: true, restart: true } } },
      other: { depends_on: { web: { condition: 'service_started', required: true } } },
    }
    expect(plan({ web: {}, ...along }, { web: { image: 'nginx:2' }, ...along })).toEqual({
      web: ['rolled', 'Image changed from nginx:1 to nginx:2.'],
      side: [
        'recreated',
        'Shares the network of another container.',
        'Shares the network of web, which is replaced.',
      ],
      debug: ['recreated', 'Shares the process namespace of side, which is replaced.'],
      worker: ['recreated', 'Restarts with web, which is replaced.'],
      other: ['unchanged'],
    })
  })
})

test('plans twenty services fast and deterministically', () => {
  const services = Object.fromEntries(
    Array.from({ length: 20 }, (_, at): [string, Services[string]] => [
      `s${at}`,
      {
        environment: { A: String(at) },
        ...(at > 0 && { depends_on: { [`s${at - 1}`]: { condition: 'service_started', restart: true } } }),
      },
    ]),
  )
  const model = modelOf({ ...services, s0: { image: 'nginx:2' } })
  const given = { target: { model, hashes: hashesOf(model) }, running: running(services) }
  const first = planComposeServices(given)
  // Planning takes a few milliseconds; the limit allows for a busy machine.
  expect(cpuTimeOf(() => expect(planComposeServices(given)).toEqual(first))).toBeLessThan(2_000)
  expect(first.map(({ action }) => action)).toEqual([
    'rolled',
    ...Array.from({ length: 19 }, () => 'recreated'),
  ])
})
