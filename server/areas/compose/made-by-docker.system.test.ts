import { expect, test, vi } from 'vitest'
import { openHosts, targetOf } from '../../../test/support/stages/reach.ts'
import { busyboxImage } from '../../../test/support/rig/images.ts'
import { takeHost } from '../../../test/support/stages/take-host.ts'
import { readComposeConfig } from '../../remote/compose.ts'
import { containerSpec } from './container-spec.ts'
import { composeNetworkName } from './docker-names.ts'
import { readModel } from './read/read-model.ts'

const server = await takeHost()
await server.loadImage(await busyboxImage())
const host = openHosts().get(targetOf(server))
const { docker } = host

const application = { id: 'app_01abcdefgh', slug: 'shop', server_id: 'srv_1' } as const

const yaml = `
services:
  web:
    image: rig/busybox
    command: sh -c 'echo "$$PRICE" "$$(id -u)" "$$(ulimit -n)" "$$(hostname)"; nslookup sql 127.0.0.11; sleep infinity'
    environment: { PRICE: "5$$", HOME: }
    user: "1000"
    hostname: here
    links: ["db:sql"]
    healthcheck: { test: ["CMD", "true"], interval: 1m30s, timeout: 5s, retries: 3, start_period: 500ms }
    deploy: { resources: { limits: { cpus: "0.5", memory: 64M, pids: 50 }, reservations: { memory: 32M } } }
    cap_add: [NET_ADMIN]
    cap_drop: [MKNOD]
    security_opt: ["no-new-privileges:true", "seccomp:unconfined", "systempaths=unconfined"]
    devices: ["/dev/null:/dev/x:rw"]
    device_cgroup_rules: ["c 1:3 mr"]
    group_add: [100]
    init: false
    read_only: true
    stop_signal: SIGINT
    stop_grace_period: 1m30s
    shm_size: 64m
    ulimits: { nofile: { soft: 512, hard: 1024 } }
    sysctls: { net.core.somaxconn: 1024 }
    dns: 192.0.2.1
    dns_search: [example.com]
    dns_opt: [ndots:1]
    extra_hosts: ["a:1.2.3.4", "b=::1"]
    tmpfs: ["/run:size=1m"]
    volumes:
      - data:/data
      - ./conf:/conf:ro
      - /anon
      - { type: tmpfs, target: /t, tmpfs: { size: 1m, mode: 0o1777 } }
      - { type: bind, source: /srv, target: /srv, bind: { propagation: rprivate } }
    logging: { driver: json-file, options: { max-size: 1m } }
    ports: ["53:53/udp", "127.0.0.1:8080:80"]
    expose: ["3000"]
    networks: { front: { aliases: [www] }, default: { ipv4_address: 10.97.0.9 } }
  db:
    image: rig/busybox
    networks: [default, front]
  side:
    image: rig/busybox
    network_mode: service:db
    pid: service:db
    volumes_from: ["db:ro"]
volumes: { data: }
networks:
  front:
  default: { ipam: { config: [{ subnet: 10.97.0.0/24 }] } }
`

test('creates and starts containers as the file defines them', async () => {
  const folder = '/srv/shop'
  const input = { project: 'shop', folder, files: { 'compose.yaml': yaml }, env: '', profiles: [] }
  const { model } = readModel(
    (await readComposeConfig(host, input)).config,
    {},
    (await docker.engine()).apiVersion,
  )
  for (const [key, { ipam }] of Object.entries(model.networks))
    await make('/networks/create', {
      Name: composeNetworkName(application, model, key),
      IPAM: { Config: key === 'default' ? [{ Subnet: '10.97.0.0/24' }] : [] },
      Labels: { ipam: JSON.stringify(ipam) },
    })
  const subnet = { Config: [{ Subnet: '10.98.0.0/24' }] }
  await make('/networks/create', { Name: 'slipway-app_1', IPAM: subnet })
  const { Id: imageId } = await docker.json<{ Id: string }>({ path: '/images/rig/busybox:latest/json' })
  const containers: Record<string, string> = {}
  for (const name of ['db', 'side', 'web']) {
    const address = name === 'side' ? null : `10.98.0.${name === 'db' ? 2 : 3}`
    const network = address && 'slipway-app_1'
    const instance = { id: `ins_${name}`, replica: 1, network, address, project_network: null } as const
    const release = { id: 'rel_1', number: 1 } as const
    const made = containerSpec({
      application,
      release,
      instance,
      name,
      model,
      imageId,
      named: true,
      containers,
    })
    const { Id } = await make(`/containers/create?name=${made.name}`, made.body)
    for (const { network, config } of made.connect)
      await make(`/networks/${network}/connect`, { Container: Id, EndpointConfig: config })
    await make(`/containers/${Id}/start`)
    containers[name] = Id
  }
  const web = await docker.json<Record<string, object>>({ path: `/containers/${containers['web']}/json` })
  expect(web).toMatchObject({
    Config: {
      User: '1000',
      StopSignal: 'SIGINT',
      StopTimeout: 90,
      Healthcheck: { Interval: 90e9, StartPeriod: 5e8 },
    },
    HostConfig: {
      Memory: 64 * 2 ** 20,
      MemoryReservation: 32 * 2 ** 20,
      NanoCpus: 5e8,
      PidsLimit: 50,
      CapAdd: [expect.stringMatching(/NET_ADMIN$/)],
      ReadonlyRootfs: true,
      MaskedPaths: [],
      PortBindings: { '53/udp': [{ HostIp: '', HostPort: '53' }] },
      Binds: ['/srv/shop/conf:/conf:ro'],
    },
    NetworkSettings: {
      Networks: {
        'slipway-app_1': { IPAddress: '10.98.0.3' },
        'shop-cdefgh_default': { IPAddress: '10.97.0.9', Aliases: expect.arrayContaining(['web']) },
        'shop-cdefgh_front': { Aliases: expect.arrayContaining(['web', 'www']) },
      },
    },
  })
  await vi.waitFor(
    async () => {
      const logs = await server.exec('docker', 'logs', containers['web'] ?? '')
      expect(logs).toContain('5$ 1000 512 here')
      // The link name resolves to the address of the other service.
      expect(logs).toMatch(/Name:\s+sql\b[^]*Address.*10\.97\.0\.\d/)
    },
    { interval: 200 },
  )
  expect(await docker.json({ path: `/containers/${containers['side']}/json` })).toMatchObject({
    State: { Running: true },
    HostConfig: { NetworkMode: `container:${containers['db']}`, PidMode: `container:${containers['db']}` },
  })
})

const make = (path: string, body: object = {}) => docker.json<{ Id: string }>({ method: 'POST', path, body })
