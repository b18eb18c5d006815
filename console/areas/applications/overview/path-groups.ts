import type { Tone } from '../../../ui/badge.tsx'
import { roleBadge } from '../application-status.ts'
import type { ApplicationContainer, ApplicationVolume } from '../queries.ts'

export interface ContainerGroup {
  /** Service of the compose file; empty for other sources. */
  service: string
  containers: readonly ApplicationContainer[]
  releases: readonly number[]
  volumes: readonly ApplicationVolume[]
  tone: Tone
  label: string
  /** For example "2 of 3 healthy", or "2 of 3 running" without a health check. */
  health: string
}

const urgency: readonly Tone[] = ['red', 'yellow', 'green', 'neutral']

/** Groups containers by service; routed services come first, because requests reach them first. */
export function groupContainers(
  containers: readonly ApplicationContainer[],
  volumes: readonly ApplicationVolume[],
  routed: readonly string[],
): ContainerGroup[] {
  const services = [...new Set(containers.map(({ service }) => service ?? ''))]
  const order = (service: string) => (routed.includes(service) ? 0 : 1)
  return services
    .toSorted((a, b) => order(a) - order(b) || a.localeCompare(b))
    .map((service) => {
      const own = containers.filter((container) => (container.service ?? '') === service)
      const live = own.filter(({ role }) => role === 'serving')
      const counted = live.length > 0 ? live : own
      const badges = counted.map((container) => roleBadge(container))
      const [tone, label] = badges.toSorted(([a], [b]) => urgency.indexOf(a) - urgency.indexOf(b))[0] ?? [
        'neutral',
        'Stopped',
      ]
      return {
        service,
        containers: own,
        releases: [...new Set(counted.flatMap(({ release }) => release ?? []))].toSorted((a, b) => b - a),
        volumes: volumes.filter(({ services: users }) => users === null || users.includes(service)),
        tone,
        label,
        health: describeHealth(counted),
      }
    })
}

function describeHealth(containers: readonly ApplicationContainer[]): string {
  const well = containers.filter(({ state, health }) => state === 'running' && health !== 'unhealthy')
  const checked = containers.some(({ health }) => health !== null)
  return `${well.length} of ${containers.length} ${checked ? 'healthy' : 'running'}`
}
