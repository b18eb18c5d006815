import type { ModelVolume } from '../model.ts'

export function volumeAccess(
  key: string,
  { name, external, driver, driver_opts = {} }: ModelVolume,
  own: ReadonlySet<string>,
): string[] {
  const called = name ?? key
  const isOthers = (external === true || name !== undefined) && !own.has(called)
  const { device = 'something', ...options } = driver_opts
  return [
    ...(isOthers ? [`Volume ${key} is ${called}, which may belong to another application.`] : []),
    ...(isLocal(driver) ? [] : [`Volume ${key} uses the driver ${driver}.`]),
    ...(['device', 'o', 'type'].some((option) => Object.hasOwn(driver_opts, option))
      ? [
          `Volume ${key} mounts ${device} of the server or its network${isReadOnly(driver_opts) ? ', read-only' : ''} (${formatRedactedOptions(options) || 'no options'}).`,
        ]
      : []),
  ]
}

const isLocal = (driver: string | undefined) => driver === undefined || driver === '' || driver === 'local'

const isReadOnly = ({ o = '' }: Record<string, string>) => o.split(',').includes('ro')

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
