import { isIPv6 } from 'node:net'
import { type Backend, type Listening, placeName } from './backends.ts'
import type { Routing } from './routing.ts'

/** What visitors see when there is nothing else to be seen. Without an apostrophe: they stand quoted in the configuration. */

const page = (title: string, text: string) =>
  [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">',
    `<title>${title}</title><style>`,
    ':root{color-scheme:light dark}',
    'body{margin:0;min-height:100vh;display:grid;place-content:center;padding:1.5rem;box-sizing:border-box;',
    'font:1rem/1.5 system-ui,sans-serif;color:#1c1c1f;background:#fafafa;text-align:center}',
    'h1{font-size:1.25rem;margin:0 0 .25rem}p{margin:0;max-width:32rem;color:#606068}',
    '@media(prefers-color-scheme:dark){body{color:#ededf0;background:#151518}p{color:#a2a2ab}}',
    `</style></head><body><main><h1>${title}</h1><p>${text}</p></main></body></html>`,
  ].join('')

const pages = {
  nothing: page('Nothing is served at this address', 'Check the address, or try again later.'),
  away: page(
    'This page is not available right now',
    'What stands behind this address does not answer. Try again in a moment.',
  ),
  maintenance: page(
    'Down for maintenance',
    'This site is being worked on and will be back shortly. Thank you for your patience.',
  ),
}

/** Where the proxy's files lie, on the server and in its container alike. */
export const proxyFolder = '/var/lib/slipway/proxy'

export const inFolder = (name: string) => `${proxyFolder}/${name}`

/** What is looked up for every request; changed while the proxy runs. */
export const mapNames = {
  routes: 'routes.map',
  secure: 'secure.map',
  maintenance: 'maintenance.map',
  challenges: 'challenges.map',
} as const
/** Of a route that HTTP may stay on. */
export const notSecure = '.'
export const certificateList = 'certificates.txt'

/** Where a certificate authority asks for the answer to a challenge. */
export const challengePath = '/.well-known/acme-challenge/'

export interface ConfigOptions extends Pick<Routing, 'httpPorts' | 'httpsPorts'> {
  /** Whether the server speaks IPv6: one that does not refuses to listen on it. */
  ipv6: boolean
  backends: readonly Backend[]
  /** What a running proxy is known by. */
  mark: string
}

/** Its numbers were measured: with them no request was lost over hundreds of swaps and reloads. */
export const proxyConfig = (options: ConfigOptions): string =>
  [
    globals(options),
    defaults,
    web(options),
    nothing,
    ...options.backends.filter((one) => isPossible(one, options)).map((one) => section(one, options)),
  ].join('\n')

const globals = ({
  mark,
}: ConfigOptions) => `# Written by Slipway: what is changed here by hand does not stay.
global
  description ${mark}
  stats socket ${inFolder('admin.sock')} mode 660 level admin expose-fd listeners
  stats timeout 1h
  maxconn 10000
  no strict-limits
  hard-stop-after 1h
  mworker-max-reloads 50
  tune.ssl.default-dh-param 2048
  ssl-default-bind-options ssl-min-ver TLSv1.2
  log stdout format raw local0 warning
  uid 99
  gid 99
`

const html = 'content-type "text/html; charset=utf-8"'
const away = [502, 503, 504]
  .map((status) => `  http-error status ${status} ${html} hdr Retry-After 5 string '${pages.away}'`)
  .join('\n')

/*
 * A stream of events may be silent for long, hence the long timeouts. A kept connection is given up sooner than what an
 * old container gets to end: after a reload it is served by an old process, which knows of no change.
 */
const defaults = `defaults
  mode http
  log global
  option idle-close-on-response
  option redispatch 1
  retries 3
  retry-on conn-failure
  http-reuse safe
  balance leastconn
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout http-request 15s
  timeout http-keep-alive 25s
  timeout tunnel 24h
  timeout queue 10s
  timeout client-fin 10s
  timeout server-fin 10s
  timeout check 5s
  default-server check inter 1s fastinter 100ms downinter 100ms rise 1 fall 5
${away}
`

/** The longest path wins: the map is searched by the whole beginning, and a path ends with a slash there. */
const web = (options: ConfigOptions) => `frontend web
${webBinds(options).join('\n')}
  http-request set-var(txn.host) req.hdr(host),host_only,lower,rtrim(.)
  http-request set-var(txn.path) path
  http-request set-var(txn.route) var(txn.host),concat(,txn.path,/),map_beg(${inFolder(mapNames.routes)},nothing) if !{ var(txn.host) -m sub / }
  http-request set-var(txn.secure) var(txn.host),concat(,txn.path,/),map_beg(${inFolder(mapNames.secure)},${notSecure}) if !{ var(txn.host) -m sub / }
${challenge}  http-request redirect code 308 location https://%[var(txn.secure)]%[pathq] if !{ ssl_fc } { var(txn.secure) -m found } !{ var(txn.secure) -m str ${notSecure} }
  http-request return status 503 ${html} hdr Retry-After 60 hdr Cache-Control no-store string '${pages.maintenance}' if { var(txn.route),map_str(${inFolder(mapNames.maintenance)}) -m found }
  http-request set-header X-Forwarded-For %[src]
  http-request set-header X-Forwarded-Host %[req.hdr(host)]
  http-request set-header X-Forwarded-Proto http
  http-request set-header X-Forwarded-Proto https if { ssl_fc }
  http-request set-header X-Forwarded-Port %[dst_port]
  http-request del-header Proxy
  use_backend %[var(txn.route)]
  default_backend nothing
`

/** With `strict-sni` it listens for HTTPS before there is a certificate, and speaks TLS only for names that have one. */
const webBinds = ({ httpPorts, httpsPorts, ipv6 }: ConfigOptions) => [
  ...httpPorts.flatMap((port) => binds(port, ipv6)),
  ...httpsPorts.flatMap((port) =>
    binds(port, ipv6, ` ssl crt-list ${inFolder(certificateList)} strict-sni alpn h2,http/1.1`),
  ),
]

const binds = (port: number, ipv6: boolean, how = '') => [
  `  bind :${port}${how}`,
  ...(ipv6 ? [`  bind :::${port} v6only${how}`] : []),
]

/** Only what was handed to this proxy for an order is answered, for the name that it was handed for. */
const challenge = `  http-request set-var(txn.challenge) var(txn.host),concat(,txn.path),map_str(${inFolder(mapNames.challenges)}) if { path_beg ${challengePath} } !{ var(txn.host) -m sub / }
  http-request return status 200 content-type text/plain lf-string "%[var(txn.challenge)]" if { var(txn.challenge) -m found }
  http-request return status 404 content-type text/plain string "No such challenge." if { path_beg ${challengePath} }
`

const nothing = `backend nothing
  http-request return status 404 ${html} string '${pages.nothing}'
`

/** An address of IPv6 needs a machine that speaks it. */
const isPossible = ({ listens }: Backend, { ipv6 }: ConfigOptions) => ipv6 || !isIPv6(listens?.host ?? '')

const section = (backend: Backend, { ipv6 }: ConfigOptions) =>
  backend.listens === null ? http(backend) : tcp(backend, backend.listens, ipv6)

const http = (backend: Backend) => `backend ${backend.name}
${backend.healthPath === null ? '' : healthCheck(backend.healthPath)}${places(backend)}
`

/** Gentler than that of connections: one that is just busy must not be taken for one that is dead. */
const healthCheck = (path: string) => `  option httpchk
  http-check send meth GET uri ${quoted(path)} ver HTTP/1.1 hdr Host localhost
  http-check expect status 200-399
  default-server check inter 2s fastinter 1s downinter 250ms rise 1 fall 5
`

/** In quotes nothing of it is read as anything else. */
const quoted = (text: string) => `'${text.replaceAll("'", `'"'"'`)}'`

const tcp = (backend: Backend, listens: Listening, ipv6: boolean) => `listen ${backend.name}
  mode tcp
${bindsOf(listens, ipv6).join('\n')}
  timeout client 24h
  timeout server 24h
  option clitcpka
  option srvtcpka
${places(backend)}
`

/** An address that the machine does not have, or not yet, must not keep the proxy from starting. */
const bindsOf = ({ host, port }: Listening, ipv6: boolean) =>
  host === '' ? binds(port, ipv6) : [`  bind ${host}:${port} transparent`]

const places = ({ size, places: taken }: Backend) =>
  Array.from({ length: size }, (_, index) => {
    const place = taken.get(index + 1)
    const where = place?.serving ? `${place.address}:${place.port}` : '0.0.0.0:0 disabled'
    return `  server ${placeName(index + 1)} ${where}`
  }).join('\n')

/** The ports in a configuration that was written here. */
export function portsIn(config: string): { http: number[]; https: number[]; all: number[] } {
  const portsOf = (text: string, pattern: RegExp) =>
    [...text.matchAll(pattern)].map(([, port]) => Number(port))
  const [frontend = ''] = (config.split('\nfrontend web\n')[1] ?? '').split(/^\w/m)
  const https = portsOf(frontend, /^ {2}bind :(\d+) ssl /gm)
  return {
    http: portsOf(frontend, /^ {2}bind :(\d+)$/gm),
    https,
    all: [...portsOf(config, /^ {2}bind \S*:(\d+)(?: transparent)?$/gm), ...https],
  }
}
