import { hostPathsIn } from './host-paths.ts'
import { isDockerSocket } from './docker-socket.ts'
import { isProtectedPath, isWithin, protectedPathMessage } from './protected-folders.ts'
import type { Model } from '../model.ts'

/** Why nobody may deploy it, as sentences: folders that belong to the server itself, Docker or Slipway. */
export const findForbiddenMounts = (model: Model, folder: string): string[] => [
  ...new Set(
    hostPathsIn(model)
      .filter(({ path, readOnly }) => !isWithin(path, folder) && isForbiddenMount(path, readOnly))
      .map(({ who, path }) => `${who} cannot mount ${path}. ${protectedPathMessage(path)}`),
  ),
]

/** Nobody can change the server by reading what time it is. */
const clocks = new Set(['/etc/localtime', '/etc/timezone'])

/** The Docker socket is for admins to give. */
export const isForbiddenMount = (path: string, readOnly: boolean): boolean =>
  isProtectedPath(path) && !isDockerSocket(path) && !(readOnly && clocks.has(path))
