import { expect, test } from 'vitest'
import type { ReleaseConfig } from '../../applications/config.ts'
import { restartPolicy, containerSpecification } from './specification.ts'

const plain: ReleaseConfig = {
  image: 'rig/app:1',
  command: null,
  port: 3000,
  health: { type: 'auto', path: '/', within_seconds: 60 },
  memory_limit: null,
  cpu_limit: null,
  replicas: 1,
  restart: 'always',
  stop_grace_seconds: 10,
  drain_seconds: 30,
  labels: [],
  volumes: [],
}

const made = (config: Partial<ReleaseConfig> = {}, env: { key: string; value: string }[] = []) =>
  containerSpecification({
    application: { id: 'app_01abcdefgh', slug: 'shop' },
    release: { id: 'rel_3', number: 3, image_id: 'sha256:abc' },
    config: { ...plain, ...config },
    instance: {
      id: 'ins_00wxyz',
      replica: 2,
      network: 'slipway-app_1',
      address: '172.18.0.7',
      project_network: null,
    },
    env,
    named: true,
  })

test('names the container by application, release and replica, and uses the exact image', () => {
  const { name, body } = made()
  expect(name).toBe('shop-3-2-wxyz')
  expect(body.Image).toBe('sha256:abc')
})

test('uses the command of the image and no limits by default', () => {
  const { body } = made()
  expect(body).not.toHaveProperty('Cmd')
  expect(body.HostConfig).not.toHaveProperty('Memory')
  expect(body.HostConfig).not.toHaveProperty('NanoCpus')
  expect(made({ command: ['serve', '--all; rm -rf /'] }).body.Cmd).toEqual(['serve', '--all; rm -rf /'])
})

test('passes environment values unchanged', () => {
  const value = 'a=b "c" $D\n`e`'
  expect(made({}, [{ key: 'URL', value }]).body.Env).toEqual([`URL=${value}`])
})

test('limits memory without swap, and CPU cores', () => {
  const { HostConfig } = made({ memory_limit: 67_108_864, cpu_limit: 0.25 }).body
  expect(HostConfig).toMatchObject({ Memory: 67_108_864, MemorySwap: 67_108_864, NanoCpus: 250_000_000 })
})

test('prefixes volume names with the application, but not host folders', () => {
  const { HostConfig } = made({
    volumes: [
      { source: 'data', target: '/data' },
      { source: '/srv/shared', target: '/shared' },
    ],
  }).body
  expect(HostConfig.Binds).toEqual(['/srv/shared:/shared'])
  expect(HostConfig.Mounts).toEqual([
    {
      Type: 'volume',
      Source: 'shop-cdefgh-data',
      Target: '/data',
      VolumeOptions: { Labels: { 'slipway.application': 'app_01abcdefgh' } },
    },
  ])
})

test('never lets user labels override our own', () => {
  const { Labels } = made({
    labels: [
      { key: 'team', value: 'web' },
      { key: 'slipway.application', value: 'app_other' },
    ],
  }).body
  expect(Labels).toEqual({
    team: 'web',
    'slipway.application': 'app_01abcdefgh',
    'slipway.instance': 'ins_00wxyz',
    'slipway.release': 'rel_3',
  })
})

test('sets address and alias in the application network and publishes no port', () => {
  const { body } = made()
  expect(body.HostConfig.NetworkMode).toBe('slipway-app_1')
  expect(body.NetworkingConfig.EndpointsConfig).toEqual({
    'slipway-app_1': { IPAMConfig: { IPv4Address: '172.18.0.7' }, Aliases: ['shop'] },
  })
  expect(body).not.toHaveProperty('ExposedPorts')
  expect(body.HostConfig).not.toHaveProperty('PortBindings')
})

test('sets no restart policy before the switch, and the grace period', () => {
  expect(made({ restart: 'on-failure', stop_grace_seconds: 45 }).body).toMatchObject({
    StopTimeout: 45,
    HostConfig: {
      RestartPolicy: { Name: 'no' },
      LogConfig: { Type: 'json-file', Config: { 'max-size': '10m', 'max-file': '5' } },
    },
  })
  expect(restartPolicy({ ...plain, restart: 'on-failure' })).toEqual({
    RestartPolicy: { Name: 'on-failure' },
  })
})
