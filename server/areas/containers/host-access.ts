import { posix } from 'node:path'
import { DockerError } from '../../remote/errors.ts'
import type { Docker } from '../../remote/host.ts'
import { type ContainerInspection, findInspection } from './docker-container.ts'

/** Limits the check, because containers that share namespaces can form chains of any length. */
const longestChain = 5

/** Returns why the container has host access. Mounts from `folder`, which belongs to the application, do not count. */
export async function findHostAccess(
  docker: Docker,
  inspected: ContainerInspection,
  folder: string,
  chain = longestChain,
): Promise<string | undefined> {
  const { HostConfig: config } = inspected
  const direct =
    optionAccess(config) ??
    mountAccess(inspected, folder) ??
    (await volumeAccess(docker, inspected)) ??
    undefined
  if (direct !== undefined) return direct
  for (const containerId of sharedWith(config)) {
    if (chain === 0) return 'it shares namespaces with too many containers to check'
    const shared = await findInspection(docker, containerId)
    if (!shared) continue
    const reason = await findHostAccess(docker, shared, folder, chain - 1)
    if (reason !== undefined) return `it shares a namespace with a container that has host access: ${reason}`
  }
  return undefined
}

function optionAccess(config: ContainerInspection['HostConfig']): string | undefined {
  if (config.Privileged) return 'it is privileged'
  const host = Object.entries(namespaces).find(([key]) => config[key as keyof typeof namespaces] === 'host')
  if (host) return `it uses the server’s ${host[1]} namespace`
  const capability = config.CapAdd?.find(isNonDefaultCapability)
  if (capability !== undefined) return `it has the capability ${capability}`
  if ([config.Devices, config.DeviceRequests, config.DeviceCgroupRules].some((list) => list?.length))
    return 'it has access to devices on the server'
  // Docker turns `systempaths=unconfined` into an empty list of masked paths.
  if (config.SecurityOpt?.some(isWeakSecurityOption) || config.MaskedPaths?.length === 0)
    return 'a security option weakens its isolation'
  return config.CgroupParent ? `it runs in the cgroup ${config.CgroupParent}` : undefined
}

const namespaces = {
  NetworkMode: 'network',
  PidMode: 'PID',
  IpcMode: 'IPC',
  UTSMode: 'UTS',
  UsernsMode: 'user',
} as const

const loosening =
  /^(apparmor|label|seccomp|systempaths|writable-cgroups)\b(?![=:](runtime\/default|docker-default|builtin)$)/

export const isWeakSecurityOption = (option: string) => loosening.test(option)

const mountAccess = ({ Mounts }: ContainerInspection, folder: string) =>
  (Mounts ?? [])
    .filter(({ Type, Source }) => Type === 'bind' && posix.dirname(Source) !== folder)
    .map(({ Source }) => `it mounts ${Source} from the server`)[0]

interface Volume {
  Driver: string
  Options: Record<string, string> | null
}

/** A volume can be a bind mount in disguise. */
async function volumeAccess(docker: Docker, { Mounts }: ContainerInspection): Promise<string | undefined> {
  for (const { Type, Name } of Mounts ?? []) {
    if (Type !== 'volume' || !Name) continue
    const volume = await readVolume(docker, Name)
    if (volume && volume.Driver !== 'local') return `its volume ${Name} uses the driver ${volume.Driver}`
    if (['device', 'o', 'type'].some((option) => Object.hasOwn(volume?.Options ?? {}, option)))
      return `its volume ${Name} mounts a path on the server or its network`
  }
  return undefined
}

async function readVolume(docker: Docker, name: string): Promise<Volume | undefined> {
  try {
    return await docker.json<Volume>({ path: `/volumes/${encodeURIComponent(name)}` })
  } catch (error) {
    if (error instanceof DockerError && error.status === 404) return undefined
    throw error
  }
}

const sharedWith = ({ NetworkMode, PidMode, IpcMode }: ContainerInspection['HostConfig']) =>
  [...new Set([NetworkMode, PidMode, IpcMode])].flatMap((mode) =>
    mode?.startsWith('container:') ? [mode.slice('container:'.length)] : [],
  )

const defaultCapabilities: ReadonlySet<string> = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'NET_RAW',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
])

/** Docker accepts names with or without CAP_, in any case. */
export const isNonDefaultCapability = (capability: string) =>
  !defaultCapabilities.has(capability.toUpperCase().replace(/^CAP_/, ''))
