import { z } from 'zod'

/** Docker Compose prints sizes, and sometimes numbers and booleans, as text. */
const number = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d+(\.\d+)?$/)
    .transform(Number),
])
const flag = z.union([z.boolean(), z.stringbool()])
const text = z.union([z.string(), z.number(), z.boolean()]).transform(String)
const texts = z.record(z.string(), text)
const list = z.union([z.array(text), text.transform((value) => [value])])
const command = z.union([z.array(z.string()), z.string().transform((line) => ['/bin/sh', '-c', line])])

const hosts = z.union([
  z.array(z.string()).transform((lines) => lines.map((line) => line.replace(/^([^=:]+)=/, '$1:'))),
  z
    .record(z.string(), list)
    .transform((hosts) =>
      Object.entries(hosts).flatMap(([host, all]) => all.map((address) => `${host}:${address}`)),
    ),
])

const dependency = z.looseObject({
  condition: z
    .enum(['service_started', 'service_healthy', 'service_completed_successfully'])
    .default('service_started'),
  required: z.boolean().default(true),
  restart: flag.optional(),
})

const serviceNetwork = z.looseObject({
  aliases: z.array(z.string()).optional(),
  ipv4_address: z.string().optional(),
  ipv6_address: z.string().optional(),
  link_local_ips: z.array(z.string()).optional(),
  mac_address: z.string().optional(),
  driver_opts: texts.optional(),
  priority: number.optional(),
  gw_priority: number.optional(),
})

const port = z.looseObject({
  target: number,
  published: text.optional(),
  /** Docker Compose keeps the case in which the file writes the protocol. */
  protocol: z.string().toLowerCase().optional(),
  host_ip: z.string().optional(),
})

const mount = z.looseObject({
  type: z.string(),
  source: z.string().optional(),
  target: z.string(),
  read_only: flag.optional(),
  bind: z
    .looseObject({
      propagation: z.string().optional(),
      create_host_path: flag.optional(),
      recursive: z.string().optional(),
      selinux: z.string().optional(),
    })
    .optional(),
  volume: z.looseObject({ nocopy: flag.optional(), subpath: z.string().optional() }).optional(),
  tmpfs: z.looseObject({ size: number.optional(), mode: number.optional() }).optional(),
})

const fileReference = z.looseObject({
  source: z.string(),
  target: z.string().optional(),
  uid: number.optional(),
  gid: number.optional(),
  mode: number.optional(),
})

const deviceRequest = z.looseObject({
  capabilities: z.array(z.string()).optional(),
  count: z.union([number, z.literal('all').transform(() => -1)]).optional(),
  device_ids: z.array(z.string()).optional(),
  driver: z.string().optional(),
  options: texts.optional(),
})

const device = z.union([
  z.looseObject({ source: z.string(), target: z.string().optional(), permissions: z.string().optional() }),
  z.string().transform((line) => {
    const [source = '', target, permissions] = line.split(':')
    return { source, target, permissions }
  }),
])

/** Some versions of Docker Compose capitalize the keys. */
const lowered = (value: unknown) =>
  value instanceof Object
    ? Object.fromEntries(Object.entries(value).map(([key, content]) => [key.toLowerCase(), content]))
    : value
const rates = z.array(z.preprocess(lowered, z.looseObject({ path: z.string(), rate: number }))).optional()

const deploy = z.looseObject({
  mode: z.string().optional(),
  replicas: number.optional(),
  resources: z
    .looseObject({
      limits: z
        .looseObject({ cpus: number.optional(), memory: number.optional(), pids: number.optional() })
        .optional(),
      reservations: z
        .looseObject({ memory: number.optional(), devices: z.array(deviceRequest).optional() })
        .optional(),
    })
    .optional(),
  restart_policy: z
    .looseObject({ condition: z.string().optional(), max_attempts: number.optional() })
    .optional(),
})

const healthcheck = z.looseObject({
  test: z.union([z.array(z.string()), z.string().transform((line) => ['CMD-SHELL', line])]).optional(),
  disable: flag.optional(),
  interval: z.string().optional(),
  timeout: z.string().optional(),
  start_period: z.string().optional(),
  start_interval: z.string().optional(),
  retries: number.optional(),
})

const serviceFields = z.looseObject({
  annotations: texts,
  image: z.string(),
  build: z.record(z.string(), z.unknown()),
  blkio_config: z.looseObject({
    weight: number.optional(),
    weight_device: z
      .array(z.preprocess(lowered, z.looseObject({ path: z.string(), weight: number })))
      .optional(),
    device_read_bps: rates,
    device_read_iops: rates,
    device_write_bps: rates,
    device_write_iops: rates,
  }),
  cap_add: list,
  cap_drop: list,
  cgroup: z.string(),
  cgroup_parent: z.string(),
  command,
  configs: z.array(fileReference),
  container_name: z.string(),
  cpu_period: number,
  cpu_quota: number,
  cpu_rt_period: number,
  cpu_rt_runtime: number,
  cpu_shares: number,
  cpus: number,
  cpuset: z.string(),
  depends_on: z.record(z.string(), dependency),
  deploy,
  device_cgroup_rules: list,
  devices: z.array(device),
  dns: list,
  dns_opt: list,
  dns_search: list,
  domainname: z.string(),
  entrypoint: command,
  environment: z.record(z.string(), text.nullable()),
  expose: list,
  external_links: list,
  extra_hosts: hosts,
  gpus: z
    .union([z.literal('all').transform(() => [{ count: -1 }]), z.array(z.unknown())])
    .pipe(z.array(deviceRequest)),
  group_add: list,
  healthcheck,
  hostname: z.string(),
  init: flag,
  ipc: z.string(),
  labels: texts,
  links: list,
  logging: z.looseObject({ driver: z.string().optional(), options: texts.optional() }),
  mac_address: z.string(),
  mem_limit: number,
  mem_reservation: number,
  mem_swappiness: number,
  memswap_limit: number,
  network_mode: z.string(),
  networks: z.record(z.string(), serviceNetwork.nullable()),
  oom_kill_disable: flag,
  oom_score_adj: number,
  pid: z.string(),
  pids_limit: number,
  platform: z.string(),
  ports: z.array(port),
  privileged: flag,
  profiles: list,
  pull_policy: z.string(),
  read_only: flag,
  restart: z.string(),
  runtime: z.string(),
  scale: number,
  secrets: z.array(fileReference),
  security_opt: list,
  shm_size: number,
  stdin_open: flag,
  stop_grace_period: z.string(),
  stop_signal: z.string(),
  storage_opt: texts,
  sysctls: texts,
  tmpfs: list,
  tty: flag,
  ulimits: z.record(
    z.string(),
    z.union([
      number.transform((both) => ({ soft: both, hard: both })),
      // Docker Compose does not print zeros.
      z.looseObject({ soft: number.default(0), hard: number.default(0) }),
    ]),
  ),
  user: z.string(),
  userns_mode: z.string(),
  uts: z.string(),
  volumes: z.array(mount),
  volumes_from: list,
  working_dir: z.string(),
})

export const readKeys: readonly string[] = Object.keys(serviceFields.shape)
export const serviceNetworkKeys: readonly string[] = Object.keys(serviceNetwork.shape)

const withoutNulls = (value: unknown) =>
  value instanceof Object
    ? Object.fromEntries(
        Object.entries(value).filter(([, content]) => content !== null && content !== undefined),
      )
    : value

export const service = z.preprocess(withoutNulls, serviceFields.partial())

export type Service = z.output<typeof service>
export type Dependency = z.output<typeof dependency>
export type ServiceNetwork = z.output<typeof serviceNetwork>
export type ServicePort = z.output<typeof port>
export type ServiceVolume = z.output<typeof mount>
