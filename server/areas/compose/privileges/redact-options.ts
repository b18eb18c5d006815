export const formatRedactedOptions = (options: Record<string, string>): string =>
  Object.entries(options)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
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
