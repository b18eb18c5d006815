import type { Service } from './model.ts'
import { hasNetworks } from './proxy-network.ts'
import { portsInRange } from './port-range.ts'

/** The proxy forwards TCP only. */
export const isPublishedByDocker = ({ protocol = 'tcp' }: { protocol?: string | undefined }) =>
  protocol !== 'tcp'

/** Without a host port, Docker chooses one. */
export function portBindings(service: Service) {
  const bindings: Record<string, { HostIp: string; HostPort: string }[]> = {}
  if (!hasNetworks(service)) return bindings
  for (const { target, published = '', protocol, host_ip = '' } of service.ports ?? [])
    if (isPublishedByDocker({ protocol }))
      (bindings[`${target}/${protocol}`] ??= []).push({ HostIp: host_ip, HostPort: published })
  return bindings
}

export const exposedPorts = (service: Service): Record<string, object> =>
  Object.fromEntries([
    ...(service.expose ?? []).flatMap((line) => {
      const [range = '', protocol = 'tcp'] = line.split('/')
      return portsInRange(range).map((port): [string, object] => [`${port}/${protocol}`, {}])
    }),
    ...Object.keys(portBindings(service)).map((key): [string, object] => [key, {}]),
  ])
