import { posix } from 'node:path'
import type { Model } from '../model.ts'

interface HostPath {
  who: string
  path: string
  readOnly: boolean
}

export const hostPathsIn = ({ services, volumes, secrets, configs }: Model): HostPath[] => [
  ...Object.entries(services).flatMap(([name, service]) =>
    (service.volumes ?? []).flatMap(({ type, source, read_only = false }) =>
      type === 'bind' && source !== undefined ? [bound(name, source, read_only)] : [],
    ),
  ),
  ...Object.entries(volumes).flatMap(([key, { driver_opts }]) =>
    driver_opts?.['device']?.startsWith('/') ? [bound(`Volume ${key}`, driver_opts['device'], false)] : [],
  ),
  ...[...Object.entries(secrets), ...Object.entries(configs)].flatMap(([key, { file }]) =>
    file === undefined ? [] : [bound(`Secret or config ${key}`, file, true)],
  ),
]

const bound = (who: string, path: string, readOnly: boolean): HostPath => ({
  who,
  path: posix.resolve('/', path),
  readOnly,
})

const sockets = new Set(['/var/run/docker.sock', '/run/docker.sock'])

export const isDockerSocket = (source: string) => sockets.has(posix.normalize(source))

/** Write access to these gives control over the server, Docker or Slipway. */
const protectedFolders = [
  '/boot',
  '/dev',
  '/etc',
  '/proc',
  '/run',
  '/sys',
  '/var/lib/containerd',
  '/var/lib/docker',
  '/var/lib/slipway',
  '/var/run',
]

export const isProtectedPath = (source: string): boolean =>
  protectedFolders.some((folder) => isWithin(source, folder) || isWithin(folder, source))

export const isWithin = (path: string, folder: string): boolean =>
  `${path}/`.startsWith(`${folder.replace(/\/$/, '')}/`)

export const protectedPathMessage = (source: string) =>
  `The folder ${source} is used by the operating system, Docker or Slipway. Choose another folder, such as /srv/data.`

export const findForbiddenMounts = (model: Model, folder: string): string[] => [
  ...new Set(
    hostPathsIn(model)
      .filter(({ path, readOnly }) => !isWithin(path, folder) && isForbiddenMount(path, readOnly))
      .map(({ who, path }) => `${who} cannot mount ${path}. ${protectedPathMessage(path)}`),
  ),
]

/** Reading the time zone is harmless. */
const clocks = new Set(['/etc/localtime', '/etc/timezone'])

/** The Docker socket is not listed, because an admin may grant it. */
export const isForbiddenMount = (path: string, readOnly: boolean): boolean =>
  isProtectedPath(path) && !isDockerSocket(path) && !(readOnly && clocks.has(path))

export const bindMountAccess = (model: Model, folder: string): string[] =>
  hostPathsIn(model)
    .filter(({ path }) => !isInApplicationFolder(path, folder))
    .map(({ who, path, readOnly }) =>
      isDockerSocket(path)
        ? `${who} mounts the Docker socket ${path}, which gives root access to the server.`
        : `${who} can ${readOnly ? 'read' : 'read and write'} ${path} on the server.`,
    )

/** Only direct children count: deeper paths, or the folder itself, may contain a symlink that a container left. */
export const isInApplicationFolder = (path: string, folder: string): boolean => posix.dirname(path) === folder
