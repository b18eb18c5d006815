import type { ModelVolume } from '../model.ts'
import { isLocalDriver, parseVolumeOptions } from './volume-options.ts'

export function volumeAccess(
  key: string,
  { name, external, driver, driver_opts = {} }: ModelVolume,
  own: ReadonlySet<string>,
): string[] {
  const called = name ?? key
  const isOthers = (external === true || name !== undefined) && !own.has(called)
  const { device = 'something', ...options } = driver_opts
  return [
    ...(isOthers
      ? [
          `Volume ${key}${called === key ? '' : ` (${called} on the server)`} may belong to another application.`,
        ]
      : []),
    ...(isLocalDriver(driver) ? [] : [`Volume ${key} uses the driver ${driver}.`]),
    ...(['device', 'o', 'type'].some((option) => Object.hasOwn(driver_opts, option))
      ? [
          `Volume ${key} mounts ${device} from the server or its network${parseVolumeOptions(driver_opts).readOnly ? ', read-only' : ''} (${formatRedactedOptions(options) || 'no options'}).`,
        ]
      : []),
  ]
}

export const formatRedactedOptions = (options: Record<string, string>): string =>
  Object.entries(options)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([key, value]) => `${key}=${isSecret.test(key) ? '…' : value.split(',').map(redactOption).join(',')}`,
    )
    .join(', ')

const isSecret = /pass|secret|token|cred|key/i

/** Mount options are one string: `addr=10.0.0.1,password=x`. */
function redactOption(option: string): string {
  const [key = '', ...value] = option.split('=')
  return value.length > 0 && isSecret.test(key) ? `${key}=…` : option
}
