import type { Config } from '../config.ts'
import { Problem } from '../errors.ts'
import { isLoopback } from '../platform/net/address-range.ts'

/**
 * Prevents DNS rebinding: a page whose host name resolves to this machine could otherwise call the API as its own
 * origin.
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

const wrongHost = (host: string, url: string) =>
  new Problem(
    421,
    'wrong_host',
    `This instance is at ${url}${host === '' ? '' : `, not at ${host.slice(0, 100)}`}. Open ${url}, or set PUBLIC_URL to the URL that people use and restart Slipway.`,
  )
