import { sharedContainerId, type ContainerInput } from './endpoints.ts'
import type { Service } from './model.ts'
import { toMounts } from './mounts.ts'
import { sharedServiceName } from './start-order.ts'
import { toResourceLimits } from './resources.ts'

export function toHostConfig(making: ContainerInput, service: Service): Record<string, unknown> {
  const unmasked = service.security_opt?.some((option) => /^systempaths[=:]unconfined$/.test(option)) ?? false
  return {
    ...withoutUndefined({
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
      Tmpfs: service.tmpfs && Object.fromEntries(service.tmpfs.map(tmpfsOf)),
      VolumesFrom: service.volumes_from?.map((line) => from(making, line)),
      SecurityOpt: service.security_opt
        ?.filter((option) => !option.startsWith('systempaths'))
        .map((option) => option.replace(/^(apparmor|label|seccomp|no-new-privileges):/, '$1=')),
    }),
    // The Docker CLI translates this option as well: the daemon does not know it.
    ...(unmasked && { MaskedPaths: [], ReadonlyPaths: [] }),
    ...toResourceLimits(service),
    ...toMounts(making, service),
    // Docker must not restart a container before it is live, because that would hide its exit.
    RestartPolicy: { Name: 'no' },
    LogConfig: logOf(service),
  }
}

const withoutUndefined = (all: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))

/** Replaces a service reference with the container's ID. */
export function namespaceMode(making: ContainerInput, mode: string | undefined): string | undefined {
  const other = sharedServiceName(mode)
  return other === undefined ? mode : `container:${sharedContainerId(making, other)}`
}

function from(making: ContainerInput, line: string): string {
  const [first = '', second = '', ...more] = line.split(':')
  if (first === 'container') return [second, ...more].join(':')
  return [sharedContainerId(making, first), ...(second === '' ? [] : [second])].join(':')
}

function tmpfsOf(line: string): [string, string] {
  const [path = '', ...options] = line.split(':')
  return [path, options.join(':')]
}

const logOf = ({ logging }: Service) =>
  logging
    ? { Type: logging.driver ?? 'json-file', Config: logging.options ?? {} }
    : { Type: 'json-file', Config: { 'max-size': '10m', 'max-file': '5' } }
