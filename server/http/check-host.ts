import type { Config } from '../config.ts'
import { Problem } from '../errors.ts'
import { isLoopback } from '../platform/net/is-loopback.ts'

/**
 * Refuses requests for a name that is not this Slipway's: a page of a stranger whose name was made to lead here could
 * otherwise talk to it as if it were its own server (DNS rebinding).
 */
export function createHostCheck({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>) {
  const own = new URL(PUBLIC_URL)
  const ownPort = own.port || (own.protocol === 'https:' ? '443' : '80')
  return (host = ''): Problem | undefined => {
    const [, name = '', port = ownPort] = /^(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(host) ?? []
    if (isLoopback(name) || (name.toLowerCase() === own.hostname && port === ownPort)) return undefined
    return wrongHost(host, PUBLIC_URL)
  }
}

/** Whoever reads the sentence sees which name it was, shortened. */
const wrongHost = (host: string, url: string) =>
  new Problem(
    421,
    'wrong_host',
    `This instance is at ${url}${host === '' ? '' : `, not at ${host.slice(0, 100)}`}. Open ${url}, or set PUBLIC_URL to the URL that people use and restart Slipway.`,
  )
