/** Keys whose whole value may be a host name, without a URL around it. */
const hostKey =
  /(?:^|[_.-])(?:host|hosts|hostname|server|servers|addr|address|endpoint|url|uri|domain|origin|upstream|brokers?|nodes?)$/i
const hostName = /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/
const longest = 4_096

/**
 * Finds host names that a variable connects to, in lower case and with their port if there is one: those of URLs, of
 * connection strings, and of `host:port`. Other words, such as `redis` in CACHE_DRIVER=redis, are not host names.
 */
export function findHosts(key: string, value: string): string[] {
  if (value.length > longest) return []
  const text = value.toLowerCase()
  const urls = [...text.matchAll(/:\/\/([^\s/?#"'`]+)/g)].map(([, authority = '']) => authority)
  const others = text.replaceAll(/:\/\/[^\s"'`]+/g, ' ')
  const words = others.split(/[\s,;"'`()@/]+/)
  const found = [
    ...urls.flatMap((authority) => authority.slice(authority.lastIndexOf('@') + 1).split(',')),
    ...words.filter((word) => /^[^:=]+:\d{1,5}$/.test(word)),
    ...words.flatMap((word) => /^(?:host|hostaddr|server)=(.+)$/.exec(word)?.[1] ?? []),
    ...(hostKey.test(key) && urls.length === 0 ? words : []),
  ]
  return [...new Set(found)].filter((host) => hostName.test(host.replace(/:\d{1,5}$/, '')))
}

/** An entry of `environment`: keys of Docker Compose are in lower case, those of variables rarely are. */
const entry = /^\s*(?:-\s*)?["']?([A-Z_][A-Z0-9_]*)["']?\s*[:=]\s*(.*)$/

/** Lists names and values in the environment of a compose file, by line, so that no file is too large to read. */
export const listComposeEntries = (text: string): [name: string, value: string][] =>
  text.split('\n').flatMap((line) => {
    const [, name = '', value = ''] = (line.length <= longest && entry.exec(line)) || []
    return name === '' ? [] : [[name, value]]
  })
