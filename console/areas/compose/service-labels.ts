import type { Tone } from '../../ui/badge.tsx'
import type { Service } from './queries.ts'

const states: Record<Service['state'], [tone: Tone, word: string]> = {
  running: ['green', 'Running'],
  starting: ['yellow', 'Starting'],
  degraded: ['yellow', 'Degraded'],
  failed: ['red', 'Failed'],
  completed: ['green', 'Completed'],
  stopped: ['neutral', 'Stopped'],
  unknown: ['yellow', 'Unknown'],
}

export const serviceStateLabel = (state: Service['state']) => states[state]

/** Sorts by code unit, as the server does. */
export const sortByName = <S extends { name: string }>(services: readonly S[]): S[] =>
  services.toSorted((a, b) => (a.name < b.name ? -1 : 1))

type Container = Service['containers'][number]

export const sumUsage = (containers: readonly Container[], figure: 'cpu' | 'memory_used'): number | null => {
  const known = containers.flatMap((container) => container[figure] ?? [])
  return known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0)
}

/** The terminal of a service opens in its first running container. */
export const findRunningContainer = ({ containers }: Service): Container | undefined =>
  containers.find(({ state }) => state === 'running')

/** Lists the ports of the compose file before those of its containers. */
export const servicePorts = ({ ports, containers }: Pick<Service, 'ports' | 'containers'>): number[] => [
  ...new Set([
    ...ports.map(({ target }) => target),
    ...containers.flatMap((container) =>
      container.ports.flatMap(({ container_port: port, protocol }) => (protocol === 'tcp' ? [port] : [])),
    ),
  ]),
]

export const formatPublishedPort = ({ host, source, target }: Service['ports'][number]) => {
  const from = host.includes(':') ? `[${host}]:${source}` : host === '' ? String(source) : `${host}:${source}`
  return `${from} → ${target}`
}
