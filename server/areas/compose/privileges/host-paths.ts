import { posix } from 'node:path'
import type { Model, ModelVolume, ServiceVolume } from '../model.ts'
import { findVolumeOptionProblem, isLocalDriver, overlayPaths, parseVolumeOptions } from './volume-options.ts'

interface HostPath {
  who: string
  path: string
  readOnly: boolean
  isVolume?: boolean
  isBind?: boolean | undefined
}

export const hostPathsIn = ({ services, volumes, secrets, configs }: Model): HostPath[] => [
  ...Object.entries(services).flatMap(([name, service]) =>
    (service.volumes ?? []).flatMap((mount) =>
      mount.type === 'bind' && mount.source !== undefined
        ? [toHostPath(name, mount.source, isReadOnlyMount(mount))]
        : [],
    ),
  ),
  ...Object.entries(volumes).flatMap(([key, { driver_opts = {} }]) =>
    volumePaths(driver_opts).map(({ path, readOnly, isBind }) => ({
      ...toHostPath(`Volume ${key}`, path, readOnly),
      isVolume: true,
      isBind,
    })),
  ),
  ...[...Object.entries(secrets), ...Object.entries(configs)].flatMap(([key, { file }]) =>
    file === undefined ? [] : [toHostPath(`Secret or config ${key}`, file, true)],
  ),
]

const toHostPath = (who: string, path: string, readOnly: boolean): HostPath => ({
  who,
  path: resolveHostPath(path),
  readOnly,
})

/** With `recursive: writable`, file systems below the folder stay writable. */
const isReadOnlyMount = ({ read_only, bind }: Pick<ServiceVolume, 'read_only' | 'bind'>): boolean =>
  read_only === true && bind?.recursive !== 'writable'

const typesWithoutPath = /^(?:nfs4?|cifs|smb3?|sshfs|glusterfs|ceph|9p|tmpfs|ramfs|overlay)$/

type VolumePath = Pick<HostPath, 'path' | 'readOnly'> & { isBind: boolean }

/**
 * A volume can be a bind mount, whatever its type, or an overlay of folders. Docker resolves relative paths from `/`.
 */
export function volumePaths(options: NonNullable<ModelVolume['driver_opts']>): VolumePath[] {
  const { device = '', type = '' } = options
  const parsed = parseVolumeOptions(options)
  const { isBind, readOnly } = parsed
  const layers = overlayPaths(parsed).map((layer) => ({ ...layer, isBind: false }))
  if (device === '' || (!isBind && typesWithoutPath.test(type))) return layers
  return [{ path: !isBind && type === 'proc' ? '/proc' : device, readOnly, isBind }, ...layers]
}

/** Symbolic links that every Linux system has. */
const links = [
  ['/var/run', '/run'],
  ['/var/lock', '/run/lock'],
  ['/dev/fd', '/proc/self/fd'],
  ['/dev/stdin', '/proc/self/fd/0'],
  ['/dev/stdout', '/proc/self/fd/1'],
  ['/dev/stderr', '/proc/self/fd/2'],
] as const

/** Removes `..`, double slashes and well-known symbolic links, which would hide a protected folder. */
export function resolveHostPath(source: string): string {
  const path = `/${posix.resolve('/', source).replace(/^\/+/, '')}`
  const link = links.find(([from]) => isWithin(path, from))
  return link ? link[1] + path.slice(link[0].length) : path
}

const dockerSocket = '/run/docker.sock'

export const isDockerSocket = (source: string) => resolveHostPath(source) === dockerSocket

const slipwayFolder = '/var/lib/slipway'

/** Write access to these folders gives control over the server, Docker or Slipway: `/proc` leads to all others. */
const protectedFolders = [
  '/boot',
  '/etc',
  '/proc',
  '/run/containerd',
  '/run/docker',
  '/var/lib/containerd',
  '/var/lib/docker',
  slipwayFolder,
]

/** An admin may grant these: the first two only set the time zone, and `/run` holds the Docker socket. */
const grantable = new Set(['/etc/localtime', '/etc/timezone', '/run'])

export const isWithin = (path: string, folder: string): boolean =>
  `${path}/`.startsWith(`${folder.replace(/\/$/, '')}/`)

/**
 * Reading needs only the approval of an admin, as does the Docker socket. Slipway's own secrets stay hidden, except in
 * `/`, which monitoring tools need.
 */
export function isForbiddenMount(source: string, readOnly: boolean): boolean {
  const path = resolveHostPath(source)
  return revealsSlipway(path) || (!readOnly && isProtected(path))
}

const revealsSlipway = (path: string) =>
  isWithin(path, slipwayFolder) || (path !== '/' && isWithin(slipwayFolder, path))

const isProtected = (path: string) => !grantable.has(path) && overlapsAny(path, protectedFolders)

/** Whether file systems below the folder must not stay writable in a read-only mount. Application folders are exempt. */
export function needsReadOnlyTree(source: string): boolean {
  const path = resolveHostPath(source)
  return isProtected(path) && !isWithin(path, slipwayFolder)
}

const overlapsAny = (path: string, folders: readonly string[]) =>
  folders.some((folder) => isWithin(path, folder) || isWithin(folder, path))

const systemFolders = [...protectedFolders, '/dev', '/run', '/sys']

/** Checks mounts that are always writable and that no plan shows to an admin. */
export const isSystemPath = (source: string) => overlapsAny(resolveHostPath(source), systemFolders)

export const protectedPathMessage = (source: string) =>
  `The folder ${source} is used by the operating system, Docker or Slipway. Choose another folder, such as /srv/data.`

export const forbiddenMountMessage = (source: string) =>
  revealsSlipway(resolveHostPath(source))
    ? protectedPathMessage(source)
    : `The folder ${source} is used by the operating system, Docker or Slipway, so it can only be mounted read-only. Add :ro, or choose another folder, such as /srv/data.`

/**
 * A disk holds the files of the whole server, whatever they are named there. File systems below a folder that a volume
 * binds can be writable, even with `ro`.
 */
export const forbiddenVolumeMessage = ({
  path,
  readOnly,
  isBind,
}: Pick<HostPath, 'path' | 'readOnly' | 'isBind'>) => {
  if (isWithin(resolveHostPath(path), '/dev'))
    return `${path} is a disk on the server. Mount it on the server, then use the mount point.`
  if (isBind && needsReadOnlyTree(path) && !isForbiddenMount(path, true))
    return `The folder ${path} is used by the operating system or Docker, so a volume cannot mount it. Mount it in the service with :ro, or choose another folder, such as /srv/data.`
  return isForbiddenMount(path, readOnly) ? forbiddenMountMessage(path) : undefined
}

export const findForbiddenMounts = (model: Model, folder: string): string[] => [
  ...new Set([
    ...Object.entries(model.volumes).flatMap(([key, volume]) => {
      const problem = volumeOptionProblem(volume)
      return problem === undefined ? [] : [`Volume ${key} cannot be mounted. ${problem}`]
    }),
    ...hostPathsIn(model).flatMap(({ who, path, readOnly, isVolume, isBind }) => {
      if (isWithin(path, folder)) return []
      const own = isForbiddenMount(path, readOnly) ? forbiddenMountMessage(path) : undefined
      const reason = isVolume ? forbiddenVolumeMessage({ path, readOnly, isBind }) : own
      return reason === undefined ? [] : [`${who} cannot mount ${path}. ${reason}`]
    }),
  ]),
]

export const volumeOptionProblem = ({ driver, driver_opts = {} }: ModelVolume): string | undefined =>
  isLocalDriver(driver) ? findVolumeOptionProblem(driver_opts) : undefined

export const bindMountAccess = (model: Model, folder: string): string[] =>
  hostPathsIn(model)
    .filter(({ path }) => !isInApplicationFolder(path, folder))
    .map(({ who, path, readOnly }) => {
      if (isDockerSocket(path))
        return `${who} mounts the Docker socket ${path}, which gives root access to the server.`
      const access = `${who} can ${readOnly ? 'read' : 'read and write'} ${path} on the server`
      const included = describeIncluded(path)
      return included === undefined
        ? `${access}.`
        : `${access}, including ${included} root access to the server.`
    })

/** A read-only mount does not prevent connections to the sockets in it. */
function describeIncluded(path: string): string | undefined {
  if (path === '/')
    return 'the files and certificates of every application and the Docker socket, which gives'
  if (isWithin(dockerSocket, path)) return 'the Docker socket, which gives'
  return isInSocketFolder(path) ? 'its sockets, which give' : undefined
}

export const isInSocketFolder = (source: string) => isWithin(resolveHostPath(source), '/run')

/** Only direct children count: deeper paths, or the folder itself, may contain a symlink that a container left. */
export const isInApplicationFolder = (path: string, folder: string): boolean => posix.dirname(path) === folder
