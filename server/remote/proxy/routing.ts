export interface Routing {
  httpPorts: readonly number[]
  httpsPorts: readonly number[]
  applications: readonly RoutedApplication[]
  certificates: readonly ServedCertificate[]
  challenges: readonly RoutedChallenge[]
}

export interface RoutedChallenge {
  host: string
  token: string
  keyAuthorization: string
}

export interface RoutedApplication {
  id: string
  replicas: number
  maintenance: boolean
  /** Path of the HTTP health check; null for a TCP check. Always null for compose services. */
  healthPath: string | null
  domains: readonly RoutedDomain[]
  ports: readonly RoutedPort[]
  instances: readonly RoutedInstance[]
}

export interface RoutedDomain {
  /** Empty for a single image. */
  service: string
  host: string
  path: string
  /** Container port; null for the HTTP port of the instance. */
  port: number | null
  /** Redirect target for HTTPS: the host, with a non-default port. */
  secure: string | null
}

export interface RoutedPort {
  service: string
  host: string
  source: number
  target: number
}

export interface RoutedInstance {
  service: string
  slot: number
  address: string
  port: number | null
  serving: boolean
}

export interface ServedCertificate {
  host: string
  pem: string
}

export interface Backend {
  name: string
  listens: ProxyListener | null
  healthPath: string | null
  size: number
  places: ReadonlyMap<number, BackendServer>
}

export interface ProxyListener {
  host: string
  port: number
}

export interface BackendServer {
  address: string
  port: number
  serving: boolean
}

/**
 * Builds the backend name of a service and port. The service comes last, because it may contain any
 * character.
 */
export const backendName = (application: string, service = '', port: number | null = null) =>
  `${application}${port === null ? '' : `.${port}`}${service === '' ? '' : `-${service}`}`

const listenerName = (application: string, { host, source }: RoutedPort) =>
  `${application}:${source}${host === '' ? '' : `:${host}`}`

export const parseBackendApplication = (backend: string) => backend.split(/[.:-]/, 1)[0] ?? ''

export const serverName = (slot: number) => `s${slot}`

export const listBackends = ({ applications }: Pick<Routing, 'applications'>): Backend[] =>
  applications.flatMap((application) => [
    ...servicesOf(application).flatMap((service) => webBackends(application, service)),
    ...application.ports.map((port) =>
      backend(application, listenerName(application.id, port), port.service, () => port.target, {
        listens: { host: port.host, port: port.source },
      }),
    ),
  ])

/** Lists services with a domain. Images always have a backend, so that the first domain needs no reload. */
function servicesOf({ domains }: RoutedApplication): string[] {
  const named = new Set(domains.map(({ service }) => service))
  return named.size > 0 ? [...named].toSorted() : ['']
}

function webBackends(application: RoutedApplication, service: string): Backend[] {
  const { id, healthPath } = application
  const domains = application.domains.filter((one) => one.service === service)
  const others = new Set(domains.flatMap(({ port }) => (port === null ? [] : [port])))
  const isUsed = domains.some(({ port }) => port === null)
  return [
    backend(application, backendName(id, service), service, isUsed ? ({ port }) => port : () => null, {
      healthPath: service === '' ? healthPath : null,
    }),
    ...[...others]
      .toSorted((one, other) => one - other)
      .map((port) => backend(application, backendName(id, service, port), service, () => port)),
  ]
}

function backend(
  application: RoutedApplication,
  name: string,
  service: string,
  portOf: (instance: RoutedInstance) => number | null,
  more: Partial<Pick<Backend, 'healthPath' | 'listens'>> = {},
): Backend {
  const ours = application.instances.filter((instance) => instance.service === service)
  const places = ours.flatMap((instance): [number, BackendServer][] => {
    const port = portOf(instance)
    return port === null
      ? []
      : [[instance.slot, { address: instance.address, port, serving: instance.serving }]]
  })
  return {
    name,
    listens: null,
    healthPath: null,
    ...more,
    size: slotCount(application),
    places: new Map(places),
  }
}

/** Room for two generations and some growth, to avoid reloads. Services share the slots. */
function slotCount({ replicas, instances }: RoutedApplication): number {
  const wanted = Math.max(2 * replicas + 2, ...instances.map(({ slot }) => slot))
  return Math.ceil(wanted / 4) * 4
}
