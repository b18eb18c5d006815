import { expect, test } from 'vitest'
import type { ReleaseConfig } from '../../applications/config.ts'
import { restartPolicyOf, specificationOf } from './specification.ts'

const plain: ReleaseConfig = {
  image: 'rig/app:1',
  command: null,
  port: 3000,
  health: { type: 'auto', path: '/', within_seconds: 60 },
  memory_limit: null,
  cpu_limit: null,
  replicas: 1,
  restart: 'always',
  stop_seconds: 10,
  drain_seconds: 30,
  labels: [],
  volumes: [],
}

const made = (config: Partial<ReleaseConfig> = {}, env: { key: string; value: string }[] = []) =>
  specificationOf({
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

test('the container is named by application, release and replica, and made of exactly the kept image', () => {
  const { name, body } = made()
  expect(name).toBe('shop-3-2-wxyz')
  expect(body.Image).toBe('sha256:abc')
})

test('the command and limits of the image hold where nothing else is said', () => {
  const { body } = made()
  expect(body).not.toHaveProperty('Cmd')
  expect(body.HostConfig).not.toHaveProperty('Memory')
  expect(body.HostConfig).not.toHaveProperty('NanoCpus')
  expect(made({ command: ['serve', '--all; rm -rf /'] }).body.Cmd).toEqual(['serve', '--all; rm -rf /'])
})

test('values of the environment are passed as they are', () => {
  const value = 'a=b "c" $D\n`e`'
  expect(made({}, [{ key: 'URL', value }]).body.Env).toEqual([`URL=${value}`])
})

test('limits are of memory without swap beside it, and of cores', () => {
  const { HostConfig } = made({ memory_limit: 67_108_864, cpu_limit: 0.25 }).body
  expect(HostConfig).toMatchObject({ Memory: 67_108_864, MemorySwap: 67_108_864, NanoCpus: 250_000_000 })
})

test('volumes carry the name of the application, folders of the server their own', () => {
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

test('labels of a person never take the place of our own', () => {
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

test('it has its address and its name in the network of the application, and publishes nothing', () => {
  const { body } = made()
  expect(body.HostConfig.NetworkMode).toBe('slipway-app_1')
  expect(body.NetworkingConfig.EndpointsConfig).toEqual({
    'slipway-app_1': { IPAMConfig: { IPv4Address: '172.18.0.7' }, Aliases: ['shop'] },
  })
  expect(body).not.toHaveProperty('ExposedPorts')
  expect(body.HostConfig).not.toHaveProperty('PortBindings')
})

test('it is started again by Docker only once it takes traffic, and gets its time to stop', () => {
  expect(made({ restart: 'on-failure', stop_seconds: 45 }).body).toMatchObject({
    StopTimeout: 45,
    HostConfig: {
      RestartPolicy: { Name: 'no' },
      LogConfig: { Type: 'json-file', Config: { 'max-size': '10m', 'max-file': '5' } },
    },
  })
  expect(restartPolicyOf({ ...plain, restart: 'on-failure' })).toEqual({
    RestartPolicy: { Name: 'on-failure' },
  })
})
