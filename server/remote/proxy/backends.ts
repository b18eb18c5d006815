import type { RoutedApplication, RoutedInstance, Routing } from './routing.ts'

/** Where a route ends: places for containers, which are given and taken while the proxy runs. */
export interface Backend {
  name: string
  /** Listens on this port and passes on whatever comes; without it, what `web` routes to it. */
  listens: number | null
  healthPath: string | null
  /** How many places it has. */
  size: number
  /** Those that are taken. */
  places: ReadonlyMap<number, Place>
}

export interface Place {
  address: string
  port: number
  serving: boolean
}

/** The name of the backend of an application; of one of its ports, if told. */
export const backendName = (application: string, port: number | null = null) =>
  port === null ? application : `${application}.${port}`

/** Whose it is, by its name. */
export const applicationOf = (backend: string) => backend.split(/[.:]/, 1)[0] ?? ''

export const placeName = (slot: number) => `s${slot}`

/** Every application has one from the start, so that its first address needs no reload. */
export const backendsOf = ({ applications }: Pick<Routing, 'applications'>): Backend[] =>
  applications.flatMap((application) => {
    const { id, domains, ports, healthPath } = application
    const others = new Set(domains.flatMap(({ port }) => (port === null ? [] : [port])))
    const isUsed = domains.some(({ port }) => port === null)
    return [
      backend(application, id, isUsed ? ({ port }) => port : () => null, { healthPath }),
      ...[...others]
        .sort((one, other) => one - other)
        .map((port) => backend(application, backendName(id, port), () => port)),
      ...ports.map(({ source, target }) =>
        backend(application, `${id}:${source}`, () => target, { listens: source }),
      ),
    ]
  })

function backend(
  application: RoutedApplication,
  name: string,
  portOf: (instance: RoutedInstance) => number | null,
  more: Partial<Pick<Backend, 'healthPath' | 'listens'>> = {},
): Backend {
  const places = application.instances.flatMap((instance): [number, Place][] => {
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

/** Room for all of them twice and for some more, so that growing seldom needs a reload. */
function sizeOf({ replicas, instances }: RoutedApplication): number {
  const wanted = Math.max(2 * replicas + 2, ...instances.map(({ slot }) => slot))
  return Math.ceil(wanted / 4) * 4
}
