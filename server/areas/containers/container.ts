import type { z } from 'zod'
import { type container, containerHealths, containerStates } from '../../../contract/containers.ts'
import { readOwnerLabels, slipwayLabels } from './slipway-labels.ts'
import type { ContainerRow } from './store.ts'
import { type ContainerInspection, containerName } from './docker-container.ts'

export interface Container extends z.output<typeof container> {
  application_id: string | null
  instance_id: string | null
  oom_killed?: true
}

export const presentContainer = (row: ContainerRow): Container => ({
  id: row.id,
  name: row.name,
  image: row.image,
  image_id: row.image_id,
  state: row.state,
  health: row.health,
  exit_code: row.exit_code,
  restarts: row.restarts,
  ports: row.ports,
  project: row.project,
  service: row.service,
  created_at: row.created_at.toISOString(),
  started_at: row.started_at?.toISOString() ?? null,
  finished_at: row.finished_at?.toISOString() ?? null,
  cpu: row.cpu,
  memory_used: row.memory_used,
  memory_limit: row.memory_limit,
  application_id: row.application_id,
  instance_id: row.instance_id,
})

export function toContainer(inspected: ContainerInspection): Container {
  const { State, Config } = inspected
  const state = toContainerState(State.Status)
  const hasEnded = state === 'exited' || state === 'dead' || state === 'restarting'
  return {
    id: inspected.Id,
    name: containerName(inspected),
    image: Config.Image,
    image_id: inspected.Image,
    state,
    health: containerHealths.find((health) => health === State.Health?.Status) ?? null,
    exit_code: hasEnded ? State.ExitCode : null,
    restarts: inspected.RestartCount,
    ports: toPorts(inspected.NetworkSettings.Ports ?? {}),
    ...composeLabels(Config.Labels),
    ...readOwnerLabels(Config.Labels),
    created_at: toTimestamp(inspected.Created) ?? new Date(0).toISOString(),
    started_at: toTimestamp(State.StartedAt),
    finished_at: hasEnded ? toTimestamp(State.FinishedAt) : null,
    ...(hasEnded && State.OOMKilled && { oom_killed: true as const }),
    ...noMetrics,
  }
}

export const noMetrics = { cpu: null, memory_used: null, memory_limit: null }

export const toContainerState = (status: string) =>
  containerStates.find((state) => state === status) ?? 'dead'

export const composeLabels = (labels: Record<string, string> | null) => ({
  project: storable(labels?.['com.docker.compose.project']),
  service: storable(labels?.[slipwayLabels.service] ?? labels?.['com.docker.compose.service']),
})

/** Labels may contain any character, but PostgreSQL stores no NUL characters and no lone surrogates. */
const storable = (label: string | undefined) =>
  label === undefined ? null : Buffer.from(label.replaceAll('\0', '')).toString()

/** Docker reports the year 1 for an event that never happened. */
function toTimestamp(text: string): string | null {
  const time = new Date(text)
  return time.getUTCFullYear() > 1 ? time.toISOString() : null
}

type Port = Container['ports'][number]

/** From an inspection: `{ "80/tcp": [{ "HostIp": "::", "HostPort": "8080" }], "53/udp": null }`. */
export type ContainerPorts = Record<string, { HostIp: string; HostPort: string }[] | null>

export function toPorts(published: ContainerPorts): Port[] {
  const ports = Object.entries(published).flatMap(([name, places]) => {
    const [port, protocol = 'tcp'] = name.split('/')
    const inside = { container_port: Number(port), protocol }
    if (!places || places.length === 0) return [{ address: null, port: null, ...inside }]
    return places.map(({ HostIp, HostPort }) => ({
      address: HostIp || null,
      port: Number(HostPort) || null,
      ...inside,
    }))
  })
  return ports.toSorted(byPort)
}

export interface ListedPort {
  IP?: string
  PrivatePort: number
  PublicPort?: number
  Type: string
}

export const fromListedPorts = (ports: ListedPort[]): Port[] =>
  ports
    .map(({ IP, PrivatePort, PublicPort, Type }) => ({
      address: IP || null,
      port: PublicPort ?? null,
      container_port: PrivatePort,
      protocol: Type,
    }))
    .toSorted(byPort)

const byPort = (a: Port, b: Port) =>
  a.container_port - b.container_port ||
  a.protocol.localeCompare(b.protocol) ||
  (a.address ?? '').localeCompare(b.address ?? '')
