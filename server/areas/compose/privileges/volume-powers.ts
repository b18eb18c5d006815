import type { ModelVolume } from '../model.ts'
import { optionWords } from './option-words.ts'

/** What a volume may reach beside files of its own, as sentences. `own` are names of those that the workspace's applications made. */
export function volumePowers(
  key: string,
  { name, external, driver, driver_opts = {} }: ModelVolume,
  own: ReadonlySet<string>,
): string[] {
  const called = name ?? key
  const isOthers = (external === true || name !== undefined) && !own.has(called)
  const { device = 'something', ...options } = driver_opts
  return [
    ...(isOthers ? [`The volume ${key} is ${called}, which may be of others.`] : []),
    ...(isLocal(driver) ? [] : [`The volume ${key} is made by the driver ${driver}.`]),
    ...(['device', 'o', 'type'].some((option) => Object.hasOwn(driver_opts, option))
      ? [
          `The volume ${key} mounts ${device} of the server or its network${isReadOnly(driver_opts) ? ', read-only' : ''} (${optionWords(options) || 'no options'}).`,
        ]
      : []),
  ]
}

const isLocal = (driver: string | undefined) => driver === undefined || driver === '' || driver === 'local'

const isReadOnly = ({ o = '' }: Record<string, string>) => o.split(',').includes('ro')
