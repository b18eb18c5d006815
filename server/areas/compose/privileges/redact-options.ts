/** Options as somebody may read them, without what could be a secret. */
export const formatRedactedOptions = (options: Record<string, string>): string =>
  Object.entries(options)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, value]) => `${key}=${isSecret.test(key) ? '…' : value.split(',').map(hidden).join(',')}`)
    .join(', ')

const isSecret = /pass|secret|token|cred|key/i

/** Those of a mount stand in one text: `addr=10.0.0.1,password=x`. */
function hidden(option: string): string {
  const [key = '', ...value] = option.split('=')
  return value.length > 0 && isSecret.test(key) ? `${key}=…` : option
}
