import type { Service } from './model.ts'
import { readMemoryLimit } from './read/read-service.ts'

type Rates = NonNullable<Service['blkio_config']>['device_read_bps']
type Reservations = NonNullable<NonNullable<Service['deploy']>['resources']>['reservations']
type Request = NonNullable<NonNullable<Reservations>['devices']>[number]

export function toResourceLimits(service: Service): Record<string, unknown> {
  const { limits, reservations } = service.deploy?.resources ?? {}
  const cpus = service.cpus || limits?.cpus
  const requests = [...(service.gpus ?? []).map(gpuOf), ...(reservations?.devices ?? []).map(requestOf)]
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
    Ulimits: service.ulimits && ulimitsOf(service.ulimits),
    DeviceCgroupRules: service.device_cgroup_rules,
    Devices: service.devices?.map(({ source, target, permissions }) => ({
      PathOnHost: source,
      PathInContainer: target ?? source,
      CgroupPermissions: permissions ?? 'rwm',
    })),
    DeviceRequests: requests.length > 0 ? requests : undefined,
    ...disksOf(service.blkio_config),
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

const ulimitsOf = (ulimits: NonNullable<Service['ulimits']>) =>
  Object.entries(ulimits)
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([Name, { soft, hard }]) => ({ Name, Soft: soft, Hard: hard }))

const requestOf = ({ driver, count, device_ids, capabilities = [], options }: Request) => ({
  ...(driver !== undefined && { Driver: driver }),
  ...(device_ids ? { DeviceIDs: device_ids } : { Count: count ?? -1 }),
  Capabilities: [capabilities],
  ...(options && { Options: options }),
})

const gpuOf = ({ capabilities = [], ...request }: Request) =>
  requestOf({ ...request, capabilities: [...new Set([...capabilities, 'gpu'])] })

const disksOf = (disks: Service['blkio_config']) => ({
  BlkioWeight: disks?.weight,
  BlkioWeightDevice: disks?.weight_device?.map(({ path, weight }) => ({ Path: path, Weight: weight })),
  BlkioDeviceReadBps: ratesOf(disks?.device_read_bps),
  BlkioDeviceReadIOps: ratesOf(disks?.device_read_iops),
  BlkioDeviceWriteBps: ratesOf(disks?.device_write_bps),
  BlkioDeviceWriteIOps: ratesOf(disks?.device_write_iops),
})

const ratesOf = (rates: Rates) => rates?.map(({ path, rate }) => ({ Path: path, Rate: rate }))
