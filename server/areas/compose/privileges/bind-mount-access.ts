import { posix } from 'node:path'
import { hostPathsIn } from './host-paths.ts'
import { isDockerSocket } from './docker-socket.ts'
import type { Model } from '../model.ts'

/** As sentences: folders and files of the server that are not the application's own, and the Docker socket. */
export const bindMountAccess = (model: Model, folder: string): string[] =>
  hostPathsIn(model)
    .filter(({ path }) => !isInApplicationFolder(path, folder))
    .map(({ who, path, readOnly }) =>
      isDockerSocket(path)
        ? `${who} mounts the Docker socket ${path}, which gives root access to the server.`
        : `${who} can ${readOnly ? 'read' : 'read and write'} ${path} on the server.`,
    )

/**
 * Right below the application's folder. Deeper, or at the folder itself, a container could have left a link that leads
 * anywhere.
 */
export const isInApplicationFolder = (path: string, folder: string): boolean => posix.dirname(path) === folder
