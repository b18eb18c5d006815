import { describe, expect, test } from 'vitest'
import { modelOf } from '../../../../test/support/factories/compose-model.ts'
import { findNewHostAccess } from './new-host-access.ts'
import { listHostAccess } from './host-access.ts'
import { findForbiddenMounts } from './host-paths.ts'

type Service = Parameters<typeof modelOf>[0][string]

const folder = '/var/lib/slipway/applications/shop-cdefgh'
const bind = (source: string, read_only = false) => ({
  volumes: [{ type: 'bind', source, target: '/x', read_only }],
})

const hostAccess = (web: Service, more: Record<string, unknown> = {}, own: string[] = []) =>
  listHostAccess(modelOf({ web, db: {} }, more), folder, new Set(own))

test('a plain service has none', () => {
  expect(
    hostAccess({
      ...bind(`${folder}/data`),
      cap_add: ['CHOWN', 'cap_net_bind_service'],
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true', 'seccomp=builtin'],
      sysctls: { 'net.core.somaxconn': '1' },
      pid: 'service:db',
      ipc: 'private',
      runtime: 'runc',
      logging: { driver: 'local', options: { 'max-size': '1m' } },
      build: {
        context: folder,
        dockerfile: 'Dockerfile',
        additional_contexts: { a: 'docker-image://alpine' },
      },
    }),
  ).toEqual([])
})

test.each<[string, Service, string]>([
  ['privileged', { privileged: true }, 'web is privileged'],
  [
    'annotation',
    { annotations: { 'run.oci.hooks.stdout': '/etc/x' } },
    'the annotation run.oci.hooks.stdout',
  ],
  ['host network', { network_mode: 'host' }, 'the server’s network'],
  ['host processes', { pid: 'host' }, 'the server’s process namespace'],
  ['host memory', { ipc: 'host' }, 'the server’s IPC namespace'],
  ['host name', { uts: 'host' }, 'the server’s UTS namespace'],
  ['host users', { userns_mode: 'host' }, 'the server’s user namespace'],
  ['host control groups', { cgroup: 'host' }, 'the server’s cgroup namespace'],
  ['network of a container', { network_mode: 'container:foo' }, 'container foo'],
  ['processes of a container', { pid: 'container:foo' }, 'container foo'],
  ['capability', { cap_add: ['sys_admin'] }, 'the capability sys_admin'],
  ['all capabilities', { cap_add: ['ALL'] }, 'the capability ALL'],
  ['seccomp', { security_opt: ['seccomp:unconfined'] }, 'seccomp:unconfined'],
  ['apparmor', { security_opt: ['apparmor=unconfined'] }, 'apparmor=unconfined'],
  ['label', { security_opt: ['label=disable'] }, 'label=disable'],
  ['system paths', { security_opt: ['systempaths=unconfined'] }, 'systempaths'],
  ['device', { devices: ['/dev/sda:/dev/x:r'] }, 'the device /dev/sda on the server (r)'],
  ['device rule', { device_cgroup_rules: ['c 1:3 mr'] }, 'c 1:3 mr'],
  ['graphics cards', { gpus: 'all' }, 'GPUs (any driver, all)'],
  [
    'one of the cards',
    { gpus: [{ driver: 'nvidia', device_ids: ['7'], capabilities: ['gpu'] }] },
    '(nvidia, gpu, 7)',
  ],
  [
    'a log that is sent away',
    { logging: { driver: 'splunk', options: { 'splunk-token': 'hunter2', 'splunk-url': 'http://a' } } },
    'through splunk (splunk-token=…, splunk-url=http://a)',
  ],
  ['control group', { cgroup_parent: 'a' }, 'control group a'],
  ['setting of the server', { sysctls: { 'kernel.domainname': 'a' } }, 'kernel.domainname'],
  ['runtime', { runtime: 'runsc' }, 'runsc'],
  ['volumes of a container', { volumes_from: ['container:foo:ro'] }, 'container foo'],
  ['external link', { external_links: ['foo:bar'] }, 'container foo'],
  ['Docker socket', bind('/var/run/docker.sock'), 'the Docker socket'],
  ['folder of the server', bind('/srv/data'), 'web can read and write /srv/data'],
  ['folder of the server to read', bind('/srv/data', true), 'web can read /srv/data'],
  ['clock of the server', bind('/etc/localtime', true), 'web can read /etc/localtime'],
  ['the application’s folder itself', bind(folder), folder],
  ['a folder deeper in it', bind(`${folder}/data/deep`), `${folder}/data/deep`],
  ['a way out of it', bind(`${folder}/../other`), '/var/lib/slipway/applications/other'],
  ['privileged build', { build: { context: folder, privileged: true } }, 'is privileged'],
  ['build in the host network', { build: { context: folder, network: 'host' } }, 'the server’s host network'],
  ['build with keys', { build: { context: folder, ssh: ['default'] } }, 'SSH keys'],
  [
    'build with entitlements',
    { build: { context: folder, entitlements: ['security.insecure'] } },
    'security.insecure',
  ],
  ['build elsewhere', { build: { context: '/srv/code' } }, 'reads /srv/code'],
  [
    'build of another folder',
    { build: { context: folder, additional_contexts: { a: '/srv/b' } } },
    'reads /srv/b',
  ],
  [
    'build of a repository by a file of the server',
    { build: { context: 'https://example.com/a.git', dockerfile: '/etc/shadow' } },
    'reads /etc/shadow',
  ],
  [
    'build of a repository by a file above',
    { build: { context: 'git@example.com:a.git', dockerfile: 'a/../../x' } },
    'applications/x',
  ],
  [
    'build of a folder that looks like a repository',
    { build: { context: 'github.com/../../other' } },
    'reads github.com/../../other',
  ],
  ['build by a file elsewhere', { build: { context: folder, dockerfile: '../x' } }, 'applications/x'],
  [
    'build that writes elsewhere',
    { build: { context: folder, cache_to: ['type=local,dest=/srv/c'] } },
    'dest=/srv/c',
  ],
])('%s', (_, web, says) => {
  expect(hostAccess(web)).toEqual([expect.stringContaining(says)])
})

describe('volumes and networks', () => {
  test('not created by applications of the workspace need permission', () => {
    const more = {
      volumes: { a: { name: 'pg' }, b: { name: 'ext', external: true } },
      networks: { c: { name: 'lan', external: true }, d: { name: 'shop_d' } },
    }
    expect(hostAccess({}, more)).toHaveLength(3)
    expect(hostAccess({}, more, ['pg', 'ext', 'lan'])).toEqual([])
  })

  test('with mounts or host networks need permission', () => {
    const nfs = { driver_opts: { type: 'nfs', o: 'addr=1,password=hunter2', device: ':/x' } }
    const sentences = hostAccess({}, { volumes: { nfs, plug: { driver: 'rclone' } } })
    expect(sentences).toEqual([
      'Volume nfs mounts :/x from the server or its network (o=addr=1,password=…, type=nfs).',
      'Volume plug uses the driver rclone.',
    ])
    const networks = {
      a: { driver: 'macvlan' },
      b: { driver_opts: { 'com.docker.network.bridge.name': 'docker0' } },
      c: { driver: 'bridge', driver_opts: { 'com.docker.network.driver.mtu': 1400 } },
    }
    expect(hostAccess({}, { networks })).toHaveLength(2)
  })

  test('with addresses of other networks need permission', () => {
    const at = (...subnets: string[]) => ({ ipam: { config: subnets.map((subnet) => ({ subnet })) } })
    const unset = { a: {}, b: { ipam: { driver: 'default' } } }
    expect(hostAccess({}, { networks: unset })).toEqual([])
    // The server may reach private addresses by its default route.
    expect(hostAccess({}, { networks: { a: at('10.9.0.0/16') } })).toEqual([
      'Network a uses the subnet 10.9.0.0/16: hosts in this subnet become unreachable from the server.',
    ])
    for (const subnet of [
      '172.31.0.0/16',
      'fd12::/64',
      '8.8.8.0/24',
      '169.254.169.0/24',
      '100.64.0.0/10',
      '172.0.0.0/8',
      '2001:db8::/64',
    ])
      expect(hostAccess({}, { networks: { a: at(subnet) } })).toEqual([
        expect.stringContaining(`uses the subnet ${subnet}`),
      ])
    expect(
      hostAccess({}, { networks: { a: { ipam: { driver: 'dhcp', options: { a: 'b' } } } } }),
    ).toHaveLength(2)
  })

  test("secret files outside the application's folder need permission", () => {
    const more = { secrets: { a: { file: `${folder}/a` }, b: { file: '/root/b' } } }
    expect(hostAccess({}, more)).toEqual(['Secret or config b can read /root/b on the server.'])
  })
})

describe('granted access', () => {
  type Services = Parameters<typeof modelOf>[0]
  const more = { volumes: { nfs: { driver_opts: { type: 'nfs', device: ':/x' } } } }
  const before = {
    web: { privileged: true, command: ['a'], volumes: [{ type: 'volume', source: 'nfs', target: '/x' }] },
    db: {},
  }
  const beyond = (services: Services, wasLive = false, granted: Services = before) =>
    findNewHostAccess(modelOf(services, more), {
      before: modelOf(granted, more),
      folder,
      own: new Set(),
      wasLive,
    })

  test('remains while the program is unchanged', () => {
    expect(beyond(before)).toEqual([])
    expect(
      beyond({ ...before, web: { ...before.web, scale: 3, mem_limit: 1e9, labels: { a: 'b' } } }),
    ).toEqual([])
  })

  test.each<[string, Service]>([
    ['image', { image: 'evil' }],
    ['command', { command: ['sh'] }],
    ['entrypoint', { entrypoint: ['sh'] }],
    ['build', { build: { context: folder } }],
    ['user', { user: 'root' }],
    ['health check', { healthcheck: { test: ['CMD', 'sh'] } }],
    ['environment', { environment: { NODE_OPTIONS: '--import=data:text/javascript,evil()' } }],
    ['working directory', { working_dir: '/evil' }],
  ])('does not extend to another %s', (_, changed) => {
    const services = { ...before, web: { ...before.web, ...changed } }
    expect(beyond(services)).toEqual([
      'web is privileged and has root access to the server.',
      expect.stringContaining('Volume nfs mounts :/x'),
    ])
    // The live release has the same program with the same access.
    expect(beyond(services, true)).toEqual([])
    expect(beyond(services, true, { web: {} })).toHaveLength(2)
  })

  test('does not extend to another service, even when it shares namespaces', () => {
    const shared = 'web is privileged and has root access to the server.'
    expect(beyond({ ...before, two: { privileged: true } })).toEqual([expect.stringContaining('two is')])
    expect(beyond({ ...before, db: { volumes: before.web.volumes } })).toEqual([
      shared,
      expect.stringContaining('Volume nfs'),
    ])
    expect(beyond({ ...before, db: { pid: 'service:web' } })).toContain(shared)
    expect(beyond({ ...before, two: { volumes_from: ['web:ro'] } })).toContain(shared)
    expect(beyond({ web: {}, db: {} })).toEqual([])
  })

  test('does not extend to changed files, or to another writer of its volumes', () => {
    const given = {
      web: {
        privileged: true,
        configs: [{ source: 'run', target: '/run.sh' }],
        volumes: [{ type: 'volume', source: 'data', target: '/app' }],
      },
      db: { volumes: [{ type: 'volume', source: 'data', target: '/data' }] },
    }
    const model = (services: Services, content: string) =>
      modelOf(services, { configs: { run: { content } }, volumes: { data: {} } })
    const against = { before: model(given, 'good'), folder, own: new Set<string>() }
    expect(findNewHostAccess(model(given, 'good'), against)).toEqual([])
    expect(findNewHostAccess(model(given, 'evil'), against)).toHaveLength(1)
    const written = { ...given, db: { ...given.db, command: ['sh', '-c', 'echo evil >/data/run.sh'] } }
    expect(findNewHostAccess(model(written, 'good'), against)).toHaveLength(1)
  })
})

describe('mounts that nobody may deploy', () => {
  const refusals = (web: Service, more: Record<string, unknown> = {}) =>
    findForbiddenMounts(modelOf({ web }, more), folder)

  const slipways = [
    '/var/lib/slipway/applications/other-000000',
    `${folder}/../..`,
    '/var//lib/./slipway',
    '/var/lib',
    '/var',
  ]

  test.each([
    '/',
    '//',
    '/etc',
    '/etc/ssh',
    '//etc//ssh/',
    '/srv/../etc',
    '/boot',
    '/var',
    '/var/lib/docker/volumes',
    '/run/containerd',
    '/var/run/docker/containerd',
    '/proc/1/root/etc',
    '/dev/fd/3',
    ...slipways,
  ])('writable %s', (source) => {
    expect(refusals(bind(source))).toHaveLength(1)
  })

  test.each(slipways)('%s, not even read-only', (source) => {
    expect(refusals(bind(source, true))).toHaveLength(1)
  })

  test.each(['/', '/etc/passwd', '/proc', '/sys', '/run/dbus', '/var/lib/docker', '/boot', '/dev'])(
    'but an admin may read %s',
    (source) => {
      expect(refusals(bind(source, true))).toEqual([])
      expect(hostAccess(bind(source, true))).toEqual([expect.stringContaining(`web can read ${source} on`)])
    },
  )

  test('warns the admin of a Docker socket below the folder', () => {
    expect(hostAccess(bind('/', true))).toEqual([
      'web can read / on the server, including the files and certificates of every application and the Docker socket, which gives root access to the server.',
    ])
    for (const [source, readOnly] of [
      ['/', true],
      ['/run', true],
      ['/var/run', false],
    ] as const)
      expect(hostAccess(bind(source, readOnly))).toEqual([
        expect.stringContaining('gives root access to the server'),
      ])
  })

  test('and of other sockets, which work read-only as well', () => {
    for (const source of ['/run/containerd', '/run/systemd', '/var/run/dbus/system_bus_socket'])
      expect(hostAccess(bind(source, true))).toEqual([
        expect.stringContaining('including its sockets, which give root access to the server.'),
      ])
  })

  test('include read-only mounts whose submounts are writable', () => {
    const writable = (source: string) => {
      const [mount] = bind(source, true).volumes
      return { volumes: [{ ...mount, bind: { recursive: 'writable' } }] }
    }
    for (const source of ['/', '/etc', '/var/lib/docker', '/proc'])
      expect(refusals(writable(source))).toHaveLength(1)
    expect(refusals(writable('/srv/data'))).toEqual([])
    expect(hostAccess(writable('/srv/data'))).toEqual(['web can read and write /srv/data on the server.'])
  })

  test('include such folders in volumes and secrets', () => {
    const inVolume = (driver_opts: Record<string, string>) =>
      refusals({}, { volumes: { a: { driver_opts } } })
    for (const device of ['/etc', '//etc', 'etc', '/srv/../etc', '/var/run/docker', '/'])
      expect(inVolume({ o: 'bind', type: 'none', device })).toHaveLength(1)
    expect(inVolume({ o: 'rbind,rw', device: '/etc' })).toHaveLength(1)
    expect(inVolume({ type: 'proc', device: 'x' })).toHaveLength(1)
    expect(inVolume({ type: 'ext4', device: '/dev/sda1', o: 'ro' })).toEqual([
      expect.stringContaining('/dev/sda1 is a disk on the server.'),
    ])
    const layers = 'lowerdir=/srv/a:/etc,upperdir=/srv/b,workdir=/srv/c'
    expect(inVolume({ type: 'overlay', device: 'overlay', o: layers })).toEqual([])
    expect(
      inVolume({ type: 'overlay', device: 'overlay', o: layers.replace('/srv/b', '/etc') }),
    ).toHaveLength(1)
    expect(inVolume({ type: 'none', o: 'bind,ro', device: '/etc' })).toEqual([
      expect.stringContaining('so a volume cannot mount it. Mount it in the service with :ro'),
    ])
    expect(inVolume({ type: 'nfs', o: 'addr=192.0.2.1', device: '/etc' })).toEqual([])
    expect(refusals({}, { secrets: { a: { file: '/var/lib/slipway/x' } } })).toHaveLength(1)
  })

  test.each([folder, `${folder}/data`, '/srv/data', '/var/run/docker.sock', '/run/docker.sock'])(
    'except %s',
    (source) => {
      expect(refusals(bind(source))).toEqual([])
    },
  )

  test.each(['/etc/localtime', '/etc/timezone', '/dev/dri', '/run/dbus', '/sys/fs/cgroup'])(
    'except %s, which an admin may let it write',
    (source) => {
      expect(refusals(bind(source))).toEqual([])
      expect(hostAccess(bind(source))).toEqual([
        expect.stringContaining(`web can read and write ${source} on the server`),
      ])
    },
  )
})
