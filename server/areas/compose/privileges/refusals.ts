import { boundIn } from './bound.ts'
import { isDockerSocket } from './docker-socket.ts'
import { isKept, isWithin, keptRefusal } from './kept-folders.ts'
import type { Model } from '../model.ts'

/** Why nobody may deploy it, as sentences: folders that belong to the server itself, Docker or Slipway. */
export const refusalsOf = (model: Model, folder: string): string[] => [
  ...new Set(
    boundIn(model)
      .filter(({ path, readOnly }) => !isWithin(path, folder) && isRefused(path, readOnly))
      .map(({ who, path }) => `${who} cannot have ${path}. ${keptRefusal(path)}`),
  ),
]

/** Nobody can change the server by reading what time it is. */
const clocks = new Set(['/etc/localtime', '/etc/timezone'])

/** The Docker socket is for admins to give. */
export const isRefused = (path: string, readOnly: boolean): boolean =>
  isKept(path) && !isDockerSocket(path) && !(readOnly && clocks.has(path))
