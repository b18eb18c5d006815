import { posix } from 'node:path'
import { boundIn } from './bound.ts'
import { isDockerSocket } from './docker-socket.ts'
import type { Model } from '../model.ts'

/** As sentences: folders and files of the server that are not the application's own, and the Docker socket. */
export const bindPowers = (model: Model, folder: string): string[] =>
  boundIn(model)
    .filter(({ path }) => !isOwn(path, folder))
    .map(({ who, path, readOnly }) =>
      isDockerSocket(path)
        ? `${who} has the Docker socket ${path}: who is in it can do all that root can on the server.`
        : `${who} ${readOnly ? 'reads' : 'reads and changes'} ${path} of the server.`,
    )

/**
 * Right below the application's folder. Deeper, or at the folder itself, a container could have left a link that leads
 * anywhere.
 */
export const isOwn = (path: string, folder: string): boolean => posix.dirname(path) === folder
