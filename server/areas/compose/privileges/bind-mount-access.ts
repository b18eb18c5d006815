import { posix } from 'node:path'
import { hostPathsIn } from './host-paths.ts'
import { isDockerSocket } from './docker-socket.ts'
import type { Model } from '../model.ts'

/** Lists paths of the server outside the application's folder, and the Docker socket. */
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
