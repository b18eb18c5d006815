import type { Container } from './container.ts'

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
