import type { Config } from '../../config.ts'
import type { Anonymous } from '../../route.ts'

type Scope = Pick<Config, 'PUBLIC_URL'>
type Name = 'slipway_browser' | 'slipway_github'

const isSecure = ({ PUBLIC_URL }: Scope) => PUBLIC_URL.startsWith('https:')

/** Browsers accept the `__Host-` prefix only from the same host, so applications on sibling hosts cannot set the cookie. */
const fullName = (config: Scope, name: Name) => (isSecure(config) ? `__Host-${name}` : name)

export const readCookie = (config: Scope, from: Anonymous, name: Name): string | undefined =>
  from.cookie(fullName(config, name))

/** Returns the value of a Set-Cookie header. The prefix requires the path `/`. */
export function setCookie(config: Scope, name: Name, value: string, seconds: number): string {
  const where = isSecure(config) ? 'Path=/; Secure' : 'Path=/v1/auth'
  return `${fullName(config, name)}=${value}; ${where}; HttpOnly; SameSite=Lax; Max-Age=${seconds}`
}
