import { type ContainerInput, sharedContainerId } from './endpoints.ts'
import type { Service, ServiceVolume } from './model.ts'
import { sharedServiceName } from './start-order.ts'
import { slipwayLabels } from '../containers/slipway-labels.ts'
import { mountedFiles } from './container-files.ts'
import { composeVolumeName } from './docker-names.ts'
import { readMemoryLimit } from './read/read-service.ts'

export function toHostConfig(making: ContainerInput, service: Service): Record<string, unknown> {
  const unmasked = service.security_opt?.some((option) => /^systempaths[=:]unconfined$/.test(option)) ?? false
  return {
    ...withoutUndefined({
      Annotations: service.annotations,
      Privileged: service.privileged,
      CapAdd: service.cap_add,
      CapDrop: service.cap_drop,
      GroupAdd: service.group_add,
      Init: service.init,
      ReadonlyRootfs: service.read_only,
      Dns: service.dns,
      DnsSearch: service.dns_search,
      DnsOptions: service.dns_opt,
      ExtraHosts: service.extra_hosts,
      PidMode: namespaceMode(making, service.pid),
      IpcMode: namespaceMode(making, service.ipc),
      UTSMode: service.uts,
      UsernsMode: service.userns_mode,
      CgroupnsMode: service.cgroup,
      CgroupParent: service.cgroup_parent,
      Runtime: service.runtime,
      StorageOpt: service.storage_opt,
      Sysctls: service.sysctls,
      Tmpfs: service.tmpfs && Object.fromEntries(service.tmpfs.map(splitTmpfs)),
      VolumesFrom: service.volumes_from?.map((line) => from(making, line)),
      SecurityOpt: service.security_opt
        ?.filter((option) => !option.startsWith('systempaths'))
        .map((option) => option.replace(/^(apparmor|label|seccomp|no-new-privileges):/, '$1=')),
    }),
    // The daemon does not know this option. The Docker CLI translates it in the same way.
    ...(unmasked && { MaskedPaths: [], ReadonlyPaths: [] }),
    ...toResourceLimits(service),
    ...toMounts(making, service),
    // Docker must not restart a container before it is live, because that would hide its exit.
    RestartPolicy: { Name: 'no' },
    LogConfig: toLogConfig(service),
  }
}

const withoutUndefined = (all: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))

export function namespaceMode(making: ContainerInput, mode: string | undefined): string | undefined {
  const owner = sharedServiceName(mode)
  return owner === undefined ? mode : `container:${sharedContainerId(making, owner)}`
}

function from(making: ContainerInput, line: string): string {
  const [first = '', second = '', ...more] = line.split(':')
  if (first === 'container') return [second, ...more].join(':')
  return [sharedContainerId(making, first), ...(second === '' ? [] : [second])].join(':')
}

function splitTmpfs(line: string): [string, string] {
  const [path = '', ...options] = line.split(':')
  return [path, options.join(':')]
}

const toLogConfig = ({ logging }: Service) =>
  logging
    ? { Type: logging.driver ?? 'json-file', Config: logging.options ?? {} }
    : { Type: 'json-file', Config: { 'max-size': '10m', 'max-file': '5' } }

/** Before API 1.42, Docker creates a missing folder only for `Binds`, not for `Mounts`. */
function toMounts(making: ContainerInput, service: Service): { Binds: string[]; Mounts: object[] } {
  const volumes = service.volumes ?? []
  return {
    Binds: volumes.filter(isCreatedIfMissing).map(toBind),
    Mounts: [
      ...volumes.filter((volume) => !isCreatedIfMissing(volume)).map((volume) => toMount(making, volume)),
      ...mountedFiles(service, making.model).map(({ source, target }) => ({
        Type: 'bind',
        Source: source,
        Target: target,
        ReadOnly: true,
        BindOptions: { NonRecursive: true },
      })),
    ],
  }
}

/** `Binds` are separated by colons, so a path with one cannot be used. */
const isCreatedIfMissing = ({ type, source = '', target, bind }: ServiceVolume) =>
  type === 'bind' &&
  (bind?.recursive ?? 'enabled') === 'enabled' &&
  !`${source}${target}`.includes(':') &&
  (bind?.create_host_path === true || bind?.selinux !== undefined)

function toBind({ source = '', target, read_only, bind }: ServiceVolume): string {
  const options = [read_only ? 'ro' : undefined, bind?.selinux, bind?.propagation].filter(Boolean)
  return [source, target, ...(options.length > 0 ? [options.join(',')] : [])].join(':')
}

function toMount(making: ContainerInput, volume: ServiceVolume) {
  const { type, source, target, read_only } = volume
  const mount = { Type: type, Target: target, ...(read_only && { ReadOnly: true }) }
  if (type === 'tmpfs') return { ...mount, ...toMountOptions(volume) }
  if (type !== 'volume') return { ...mount, Source: source, ...toMountOptions(volume) }
  return {
    ...mount,
    ...(source !== undefined && { Source: composeVolumeName(making.application, making.model, source) }),
    VolumeOptions: {
      ...(volume.volume?.nocopy && { NoCopy: true }),
      ...(volume.volume?.subpath !== undefined && { Subpath: volume.volume.subpath }),
      Labels: { [slipwayLabels.application]: making.application.id },
    },
  }
}

function toMountOptions({ type, bind, tmpfs }: ServiceVolume) {
  if (type === 'tmpfs') {
    const { size, mode } = tmpfs ?? {}
    return {
      TmpfsOptions: {
        ...(size !== undefined && { SizeBytes: size }),
        ...(mode !== undefined && { Mode: mode }),
      },
    }
  }
  const { propagation, recursive, create_host_path } = bind ?? {}
  return {
    BindOptions: {
      ...(create_host_path && { CreateMountpoint: true }),
      ...(propagation !== undefined && { Propagation: propagation }),
      ...(recursive === 'disabled' && { NonRecursive: true }),
      ...(recursive === 'writable' && { ReadOnlyNonRecursive: true }),
      ...(recursive === 'readonly' && { ReadOnlyForceRecursive: true }),
    },
  }
}

type Rates = NonNullable<Service['blkio_config']>['device_read_bps']
type Reservations = NonNullable<NonNullable<Service['deploy']>['resources']>['reservations']
type Request = NonNullable<NonNullable<Reservations>['devices']>[number]

export function toResourceLimits(service: Service): Record<string, unknown> {
  const { limits, reservations } = service.deploy?.resources ?? {}
  const cpus = service.cpus || limits?.cpus
  const requests = [
    ...(service.gpus ?? []).map(toGpuRequest),
    ...(reservations?.devices ?? []).map(toDeviceRequest),
  ]
  const all = {
    Memory: readMemoryLimit(service) ?? undefined,
    MemoryReservation: service.mem_reservation ?? reservations?.memory,
    MemorySwap: service.memswap_limit,
    MemorySwappiness: service.mem_swappiness,
    NanoCpus: cpus ? Math.round(cpus * 1e9) : undefined,
    CpuShares: service.cpu_shares,
    CpuPeriod: service.cpu_period,
    CpuQuota: service.cpu_quota,
    CpuRealtimePeriod: service.cpu_rt_period,
    CpuRealtimeRuntime: service.cpu_rt_runtime,
    CpusetCpus: service.cpuset,
    PidsLimit: service.pids_limit ?? limits?.pids,
    ShmSize: service.shm_size,
    OomKillDisable: service.oom_kill_disable,
    OomScoreAdj: service.oom_score_adj,
    Ulimits: service.ulimits && toUlimits(service.ulimits),
    DeviceCgroupRules: service.device_cgroup_rules,
    Devices: service.devices?.map(({ source, target, permissions }) => ({
      PathOnHost: source,
      PathInContainer: target ?? source,
      CgroupPermissions: permissions ?? 'rwm',
    })),
    DeviceRequests: requests.length > 0 ? requests : undefined,
    ...toBlockLimits(service.blkio_config),
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

const toUlimits = (ulimits: NonNullable<Service['ulimits']>) =>
  Object.entries(ulimits)
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([Name, { soft, hard }]) => ({ Name, Soft: soft, Hard: hard }))

const toDeviceRequest = ({ driver, count, device_ids, capabilities = [], options }: Request) => ({
  ...(driver !== undefined && { Driver: driver }),
  ...(device_ids ? { DeviceIDs: device_ids } : { Count: count ?? -1 }),
  Capabilities: [capabilities],
  ...(options && { Options: options }),
})

const toGpuRequest = ({ capabilities = [], ...request }: Request) =>
  toDeviceRequest({ ...request, capabilities: [...new Set([...capabilities, 'gpu'])] })

const toBlockLimits = (disks: Service['blkio_config']) => ({
  BlkioWeight: disks?.weight,
  BlkioWeightDevice: disks?.weight_device?.map(({ path, weight }) => ({ Path: path, Weight: weight })),
  BlkioDeviceReadBps: toRates(disks?.device_read_bps),
  BlkioDeviceReadIOps: toRates(disks?.device_read_iops),
  BlkioDeviceWriteBps: toRates(disks?.device_write_bps),
  BlkioDeviceWriteIOps: toRates(disks?.device_write_iops),
})

const toRates = (rates: Rates) => rates?.map(({ path, rate }) => ({ Path: path, Rate: rate }))
