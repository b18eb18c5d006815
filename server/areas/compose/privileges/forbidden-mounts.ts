import { hostPathsIn } from './host-paths.ts'
import { isDockerSocket } from './docker-socket.ts'
import { isProtectedPath, isWithin, protectedPathMessage } from './protected-folders.ts'
import type { Model } from '../model.ts'

/** Lists mounts that nobody may deploy: folders of the server itself, Docker or Slipway. */
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
