import type { RoutedApplication, RoutedInstance, RoutedPort, Routing } from './routing.ts'

/** Where a route ends: places for containers, which are given and taken while the proxy runs. */
export interface Backend {
  name: string
  /** Listens there and passes on whatever comes; without it, what `web` routes to it. */
  listens: Listening | null
  healthPath: string | null
  /** How many places it has. */
  size: number
  /** Those that are taken. */
  places: ReadonlyMap<number, Place>
}

export interface Listening {
  /** An address of the machine; empty for all of them. */
  host: string
  port: number
}

export interface Place {
  address: string
  port: number
  serving: boolean
}

/**
 * The name of the backend of a service; of one of its ports, if told. A service may be called by anything that a name of
 * HAProxy may have, so its name comes last, and nothing else can end like it.
 */
export const backendName = (application: string, service = '', port: number | null = null) =>
  `${application}${port === null ? '' : `.${port}`}${service === '' ? '' : `-${service}`}`

const listenerName = (application: string, { host, source }: RoutedPort) =>
  `${application}:${source}${host === '' ? '' : `:${host}`}`

/** Whose it is, by its name. */
export const applicationOf = (backend: string) => backend.split(/[.:-]/, 1)[0] ?? ''

export const placeName = (slot: number) => `s${slot}`

export const backendsOf = ({ applications }: Pick<Routing, 'applications'>): Backend[] =>
  applications.flatMap((application) => [
    ...servicesOf(application).flatMap((service) => webOf(application, service)),
    ...application.ports.map((port) =>
      backend(application, listenerName(application.id, port), port.service, () => port.target, {
        listens: { host: port.host, port: port.source },
      }),
    ),
  ])

/** Those that an address leads to. Every image has a backend from the start, so that its first needs no reload. */
function servicesOf({ domains }: RoutedApplication): string[] {
  const named = new Set(domains.map(({ service }) => service))
  return named.size > 0 ? [...named].toSorted() : ['']
}

function webOf(application: RoutedApplication, service: string): Backend[] {
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
  const places = ours.flatMap((instance): [number, Place][] => {
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
    size: sizeOf(application),
    places: new Map(places),
  }
}

/** Room for all of them twice and for some more, so that growing seldom needs a reload. Services share the slots. */
function sizeOf({ replicas, instances }: RoutedApplication): number {
  const wanted = Math.max(2 * replicas + 2, ...instances.map(({ slot }) => slot))
  return Math.ceil(wanted / 4) * 4
}
