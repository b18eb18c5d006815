import { describe, expect, test } from 'vitest'
import { modelOf } from '../../../test/support/factories/compose-model.ts'
import { containerSpec } from './container-spec.ts'
import type { ContainerInput } from './endpoints.ts'
import { containerFiles } from './container-files.ts'

type Services = Parameters<typeof modelOf>[0]

const made = (
  services: Services,
  making: Partial<ContainerInput> = {},
  more: Parameters<typeof modelOf>[1] = {},
) =>
  containerSpec({
    application: { id: 'app_01abcdefgh', slug: 'shop' },
    release: { id: 'rel_3', number: 3 },
    instance: {
      id: 'ins_00wxyz',
      replica: 2,
      network: 'slipway-app_1',
      address: '172.18.0.7',
      project_network: null,
    },
    name: 'web',
    model: modelOf(services, more),
    imageId: 'sha256:abc',
    named: true,
    containers: { db: 'id-of-db', vpn: 'id-of-vpn' },
    ...making,
  })

const bodyOf = (web: Services[string], more: Parameters<typeof modelOf>[1] = {}) =>
  made({ web, db: {}, vpn: {} }, {}, more).body
const hostConfig = (web: Services[string], more: Parameters<typeof modelOf>[1] = {}) =>
  bodyOf(web, more)['HostConfig']

describe('a container', () => {
  test('is named by application, service, release and replica, and uses the exact image ID', () => {
    const { name, body } = made({ web: {} })
    expect(name).toBe('shop-web-3-2-wxyz')
    expect(body['Image']).toBe('sha256:abc')
    expect(made({ 'My_App.v2': {} }, { name: 'My_App.v2' }).name).toBe('shop-my-app-v2-3-2-wxyz')
    expect(made({ web: { container_name: 'mine' } }).name).toBe('mine')
  })

  test("uses the image's defaults when the service sets nothing", () => {
    const { body, connect, platform } = made({ web: {} })
    expect(body).toEqual({
      Image: 'sha256:abc',
      Env: [],
      ExposedPorts: {},
      StopTimeout: 10,
      Labels: {
        'slipway.application': 'app_01abcdefgh',
        'slipway.instance': 'ins_00wxyz',
        'slipway.release': 'rel_3',
        'slipway.service': 'web',
      },
      HostConfig: {
        NetworkMode: 'slipway-app_1',
        RestartPolicy: { Name: 'no' },
        LogConfig: { Type: 'json-file', Config: { 'max-size': '10m', 'max-file': '5' } },
        PortBindings: {},
        Binds: [],
        Mounts: [],
      },
      NetworkingConfig: {
        EndpointsConfig: {
          'slipway-app_1': { IPAMConfig: { IPv4Address: '172.18.0.7' }, Aliases: ['shop-web'] },
        },
      },
    })
    expect(connect).toEqual([])
    expect(platform).toBeUndefined()
  })

  test('runs the command of the file unchanged', () => {
    expect(
      bodyOf({
        command: ['serve', '--all; rm -rf /'],
        entrypoint: [],
        environment: { B: null, A: 'a=b "c" $$D\n`e`' },
        user: '1000:1000',
        working_dir: '/srv',
        hostname: 'web',
        domainname: 'example.com',
        tty: true,
        stdin_open: true,
        stop_signal: 'SIGINT',
        stop_grace_period: '1m30s',
        labels: { team: 'web', 'slipway.application': 'app_other' },
        expose: ['3000', '4000-4001/udp'],
      }),
    ).toMatchObject({
      Cmd: ['serve', '--all; rm -rf /'],
      Entrypoint: [],
      Env: ['A=a=b "c" $D\n`e`', 'B'],
      User: '1000:1000',
      WorkingDir: '/srv',
      Hostname: 'web',
      Domainname: 'example.com',
      Tty: true,
      OpenStdin: true,
      StopSignal: 'SIGINT',
      StopTimeout: 90,
      Labels: { team: 'web', 'slipway.application': 'app_01abcdefgh' },
      ExposedPorts: { '3000/tcp': {}, '4000/udp': {}, '4001/udp': {} },
    })
  })

  test('uses the health check of the file, or none when disabled', () => {
    const healthcheck = {
      test: ['CMD', 'true'],
      interval: '1m30s',
      timeout: '500ms',
      start_period: '2s',
      start_interval: '1s',
      retries: 3,
    }
    expect(bodyOf({ healthcheck })['Healthcheck']).toEqual({
      Test: ['CMD', 'true'],
      Interval: 90_000_000_000,
      Timeout: 500_000_000,
      StartPeriod: 2_000_000_000,
      StartInterval: 1_000_000_000,
      Retries: 3,
    })
    expect(bodyOf({ healthcheck: { test: 'curl x' } })['Healthcheck']).toEqual({
      Test: ['CMD-SHELL', 'curl x'],
    })
    expect(bodyOf({ healthcheck: { disable: true } })['Healthcheck']).toEqual({ Test: ['NONE'] })
  })
})

describe('the host configuration', () => {
  test('applies limits of the service or its deploy section', () => {
    const byDeploy = { limits: { cpus: 0.5, memory: '512', pids: 10 }, reservations: { memory: '20' } }
    const limits = { NanoCpus: 500_000_000, Memory: 512, PidsLimit: 10, MemoryReservation: 20 }
    expect(hostConfig({ deploy: { resources: byDeploy } })).toMatchObject(limits)
    const own = { cpus: 0.5, mem_limit: '512', pids_limit: 10, mem_reservation: '20' }
    expect(hostConfig(own)).toMatchObject(limits)
    expect(
      hostConfig({
        memswap_limit: '-1',
        mem_swappiness: '10',
        cpu_shares: 5,
        cpu_period: 100,
        cpu_quota: 50,
        cpu_rt_period: 7,
        cpu_rt_runtime: 6,
        cpuset: '0,1',
        shm_size: '64',
        oom_kill_disable: true,
        oom_score_adj: 100,
        ulimits: { nproc: 3, nofile: { soft: 1, hard: 2 } },
        blkio_config: {
          weight: 300,
          weight_device: [{ path: '/dev/a', weight: 4 }],
          device_write_iops: [{ path: '/dev/b', rate: '30' }],
        },
      }),
    ).toMatchObject({
      MemorySwap: -1,
      MemorySwappiness: 10,
      CpuShares: 5,
      CpuPeriod: 100,
      CpuQuota: 50,
      CpuRealtimePeriod: 7,
      CpuRealtimeRuntime: 6,
      CpusetCpus: '0,1',
      ShmSize: 64,
      OomKillDisable: true,
      OomScoreAdj: 100,
      Ulimits: [
        { Name: 'nofile', Soft: 1, Hard: 2 },
        { Name: 'nproc', Soft: 3, Hard: 3 },
      ],
      BlkioWeight: 300,
      BlkioWeightDevice: [{ Path: '/dev/a', Weight: 4 }],
      BlkioDeviceWriteIOps: [{ Path: '/dev/b', Rate: 30 }],
    })
  })

  test('includes the devices, namespaces and privileges of the file', () => {
    expect(
      hostConfig({
        privileged: true,
        cap_add: ['NET_ADMIN'],
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true', 'seccomp:unconfined', 'systempaths=unconfined'],
        devices: [{ source: '/dev/null', target: '/dev/x', permissions: 'rw' }, { source: '/dev/zero' }],
        device_cgroup_rules: ['c 1:3 mr'],
        gpus: [{ count: 1, driver: 'nvidia' }],
        deploy: { resources: { reservations: { devices: [{ capabilities: ['tpu'], device_ids: ['0'] }] } } },
        group_add: [100, 'mail'],
        init: true,
        read_only: true,
        pid: 'service:db',
        ipc: 'shareable',
        uts: 'host',
        userns_mode: 'host',
        cgroup: 'private',
        cgroup_parent: 'm-executor',
        runtime: 'runsc',
        storage_opt: { size: '1G' },
        sysctls: { 'net.core.somaxconn': 1024 },
        dns: '8.8.8.8',
        dns_search: ['example.com'],
        dns_opt: ['use-vc'],
        extra_hosts: ['a=1.2.3.4'],
        tmpfs: ['/run', '/tmp:size=1m,mode=755'],
        volumes_from: ['db:ro', 'vpn', 'container:foo:rw'],
        logging: { driver: 'local', options: { 'max-size': '1m' } },
      }),
    ).toMatchObject({
      Privileged: true,
      CapAdd: ['NET_ADMIN'],
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges=true', 'seccomp=unconfined'],
      MaskedPaths: [],
      ReadonlyPaths: [],
      Devices: [
        { PathOnHost: '/dev/null', PathInContainer: '/dev/x', CgroupPermissions: 'rw' },
        { PathOnHost: '/dev/zero', PathInContainer: '/dev/zero', CgroupPermissions: 'rwm' },
      ],
      DeviceCgroupRules: ['c 1:3 mr'],
      DeviceRequests: [
        { Driver: 'nvidia', Count: 1, Capabilities: [['gpu']] },
        { DeviceIDs: ['0'], Capabilities: [['tpu']] },
      ],
      GroupAdd: ['100', 'mail'],
      Init: true,
      ReadonlyRootfs: true,
      PidMode: 'container:id-of-db',
      IpcMode: 'shareable',
      UTSMode: 'host',
      UsernsMode: 'host',
      CgroupnsMode: 'private',
      CgroupParent: 'm-executor',
      Runtime: 'runsc',
      StorageOpt: { size: '1G' },
      Sysctls: { 'net.core.somaxconn': '1024' },
      Dns: ['8.8.8.8'],
      DnsSearch: ['example.com'],
      DnsOptions: ['use-vc'],
      ExtraHosts: ['a:1.2.3.4'],
      Tmpfs: { '/run': '', '/tmp': 'size=1m,mode=755' },
      VolumesFrom: ['id-of-db:ro', 'id-of-vpn', 'foo:rw'],
      LogConfig: { Type: 'local', Config: { 'max-size': '1m' } },
    })
  })

  test('mounts volumes by application name, created folders, and secret files of the server', () => {
    const web = {
      volumes: [
        { type: 'volume', source: 'data', target: '/data', read_only: true, volume: { nocopy: true } },
        { type: 'volume', source: 'pg', target: '/pg', volume: {} },
        { type: 'volume', target: '/anon' },
        {
          type: 'bind',
          source: '/srv/a',
          target: '/a',
          read_only: true,
          bind: { create_host_path: true, propagation: 'rslave', selinux: 'z' },
        },
        { type: 'bind', source: '/srv/b:c', target: '/b', bind: { create_host_path: true } },
        {
          type: 'bind',
          source: '/srv/d',
          target: '/d',
          bind: { propagation: 'rslave', recursive: 'disabled' },
        },
        { type: 'tmpfs', target: '/t', tmpfs: { size: '10', mode: 1023 } },
      ],
      secrets: [{ source: 'key', target: '/run/secrets/key' }],
    }
    const more = {
      volumes: { data: {}, pg: { name: 'other', external: true } },
      secrets: { key: { file: '/srv/key' } },
    }
    const Labels = { 'slipway.application': 'app_01abcdefgh' }
    expect(hostConfig(web, more)).toMatchObject({
      Binds: ['/srv/a:/a:ro,z,rslave'],
      Mounts: [
        {
          Type: 'volume',
          Source: 'shop-cdefgh-data',
          Target: '/data',
          ReadOnly: true,
          VolumeOptions: { NoCopy: true, Labels },
        },
        { Type: 'volume', Source: 'other', Target: '/pg', VolumeOptions: { Labels } },
        { Type: 'volume', Target: '/anon', VolumeOptions: { Labels } },
        { Type: 'bind', Source: '/srv/b:c', Target: '/b', BindOptions: {} },
        {
          Type: 'bind',
          Source: '/srv/d',
          Target: '/d',
          BindOptions: { Propagation: 'rslave', NonRecursive: true },
        },
        { Type: 'tmpfs', Target: '/t', TmpfsOptions: { SizeBytes: 10, Mode: 1023 } },
        { Type: 'bind', Source: '/srv/key', Target: '/run/secrets/key', ReadOnly: true },
      ],
    })
  })
})

test('copies secrets and configs with inline content to their target or the default path', () => {
  const model = modelOf(
    {
      web: {
        secrets: [{ source: 'a' }, { source: 'a', target: 'b', uid: '103', mode: 288 }],
        configs: [{ source: 'c' }, { source: 'c', target: '/etc/c' }],
      },
    },
    { secrets: { a: { environment: 'A' } }, configs: { c: { content: 'hello' } } },
    { A: 'secret' },
  )
  const plain = { uid: 0, gid: 0, mode: 0o444 }
  expect(containerFiles(model.services['web'] ?? {}, model)).toEqual([
    { path: '/run/secrets/a', content: 'secret', ...plain },
    { path: '/run/secrets/b', content: 'secret', uid: 103, gid: 0, mode: 0o440 },
    { path: '/c', content: 'hello', ...plain },
    { path: '/etc/c', content: 'hello', ...plain },
  ])
})

test.each([
  { network_mode: 'service:slipway-proxy' },
  { pid: 'service:slipway-proxy' },
  { ipc: 'service:slipway-proxy' },
  { volumes_from: ['slipway-proxy'] },
])('refuses a container that does not belong to a service: %j', (web) => {
  const making = { 'slipway-proxy': {}, web }
  expect(() => made(making)).toThrow('web shares resources with slipway-proxy, which has no container.')
  expect(() => made(making, { containers: { 'slipway-proxy': 'ours' } })).not.toThrow()
})
