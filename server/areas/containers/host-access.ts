import { posix } from 'node:path'
import { DockerError } from '../../remote/errors.ts'
import type { Docker } from '../../remote/host.ts'
import { isPowerful } from './capabilities.ts'
import { type Inspected, inspect } from './inspect.ts'

/** Containers that share namespaces form chains, which Docker does not bound. */
const longestChain = 5

/**
 * Why whoever is root in a container is, or may become, root on its server; undefined when the container confines them.
 * `folder` is its application's own, whose files it may mount.
 */
export async function findHostAccess(
  docker: Docker,
  inspected: Inspected,
  folder: string,
  chain = longestChain,
): Promise<string | undefined> {
  const { HostConfig: config } = inspected
  const found =
    optionAccess(config) ??
    mountAccess(inspected, folder) ??
    (await volumeAccess(docker, inspected)) ??
    undefined
  if (found !== undefined) return found
  for (const other of sharedWith(config)) {
    if (chain === 0) return 'it shares namespaces with too many containers to tell'
    const shared = await inspect(docker, other)
    if (!shared) continue
    const why = await findHostAccess(docker, shared, folder, chain - 1)
    if (why !== undefined) return `it shares a namespace with a container of which ${why}`
  }
  return undefined
}

function optionAccess(config: Inspected['HostConfig']): string | undefined {
  if (config.Privileged) return 'it is privileged'
  const host = Object.entries(namespaces).find(([key]) => config[key as keyof typeof namespaces] === 'host')
  if (host) return `it is in the ${host[1]} namespace of the server`
  const capability = config.CapAdd?.find(isPowerful)
  if (capability !== undefined) return `it has the capability ${capability}`
  if ([config.Devices, config.DeviceRequests, config.DeviceCgroupRules].some((list) => list?.length))
    return 'it has devices of the server'
  // Docker turns `systempaths=unconfined` into an empty list of masked paths.
  if (config.SecurityOpt?.some(isLoosening) || config.MaskedPaths?.length === 0)
    return 'a protection of the server is turned off for it'
  return config.CgroupParent ? `it is in the control group ${config.CgroupParent}` : undefined
}

const namespaces = {
  NetworkMode: 'network',
  PidMode: 'process',
  IpcMode: 'memory',
  UTSMode: 'host name',
  UsernsMode: 'user',
} as const

/** A profile of one's own, or none; a process that may keep no more privileges than it has is no looser. */
const loosening =
  /^(apparmor|label|seccomp|systempaths|writable-cgroups)\b(?![=:](runtime\/default|docker-default|builtin)$)/

export const isLoosening = (option: string) => loosening.test(option)

const mountAccess = ({ Mounts }: Inspected, folder: string) =>
  (Mounts ?? [])
    .filter(({ Type, Source }) => Type === 'bind' && posix.dirname(Source) !== folder)
    .map(({ Source }) => `it mounts ${Source} of the server`)[0]

interface Volume {
  Driver: string
  Options: Record<string, string> | null
}

/** A volume can be a mount of anything under another name. */
async function volumeAccess(docker: Docker, { Mounts }: Inspected): Promise<string | undefined> {
  for (const { Type, Name } of Mounts ?? []) {
    if (Type !== 'volume' || !Name) continue
    const volume = await readVolume(docker, Name)
    if (volume && volume.Driver !== 'local')
      return `its volume ${Name} is made by the driver ${volume.Driver}`
    if (['device', 'o', 'type'].some((option) => Object.hasOwn(volume?.Options ?? {}, option)))
      return `its volume ${Name} mounts something of the server or its network`
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

const sharedWith = ({ NetworkMode, PidMode, IpcMode }: Inspected['HostConfig']) =>
  [...new Set([NetworkMode, PidMode, IpcMode])].flatMap((mode) =>
    mode?.startsWith('container:') ? [mode.slice('container:'.length)] : [],
  )
