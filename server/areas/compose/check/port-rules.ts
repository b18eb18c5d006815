import { reservedPorts } from '../../../../contract/shared/application-fields.ts'
import type { ComposeFile } from '../read/compose-file.ts'
import { warningAt, type Finding, type Path, errorAt } from './finding.ts'
import { toList } from '../read/untyped.ts'
import { type PortRange, rangeLength, readPort, type WrittenPort } from '../read/short-forms.ts'
import { truncateValue } from '../read/to-value.ts'

/** Default ports of the proxy, because the check does not know the ports of the server. */
const proxyPorts = [80, 443]

interface Binding extends Pick<WrittenPort, 'host' | 'target'> {
  service: string
  published: PortRange
}

export function portRules({ services, isActive }: ComposeFile): Finding[] {
  const bindings = new Map<string, Binding[]>()
  return Object.entries(services).flatMap(([service, { ports }]) =>
    toList(ports).flatMap((written, step) => {
      const path = ['services', service, 'ports', step]
      const port = readPort(written)
      if (!port)
        return [
          errorAt(
            path,
            'Invalid port mapping. Use host:container, such as 8080:80, or 127.0.0.1:8080:80/tcp.',
          ),
        ]
      if (!isActive(service)) return []
      return portProblem(port, path) ?? clash(bindings, service, port, path)
    }),
  )
}

const contains = ([first, last]: PortRange, port: number) => first <= port && port <= last

function portProblem({ published, target, protocol }: WrittenPort, path: Path): Finding[] | undefined {
  if (!published)
    return protocol === 'tcp'
      ? [
          warningAt(
            path,
            `No server port is set, so the port is not published. Add a domain to the service, or write 8080:${target[0]}.`,
          ),
        ]
      : undefined
  if (rangeLength(target) > 1 && rangeLength(published) !== rangeLength(target))
    return [errorAt(path, 'Both port ranges must have the same length.')]
  if ([...reservedPorts].some((port) => contains(published, port)))
    return [errorAt(path, 'Ports 22, 2375 and 2376 are reserved for the server. Choose another port.')]
  const proxys = protocol === 'tcp' ? proxyPorts.find((port) => contains(published, port)) : undefined
  return proxys === undefined
    ? undefined
    : [
        warningAt(
          path,
          `Port ${proxys} is used by the proxy and is not published. Add a domain to the service instead.`,
        ),
      ]
}

/** Compose drops a mapping that repeats another one of the service. */
function clash(
  bindings: Map<string, Binding[]>,
  service: string,
  { published, target, protocol, host }: WrittenPort,
  path: Path,
): Finding[] {
  if (!published) return []
  const known = bindings.get(protocol) ?? []
  bindings.set(protocol, known)
  const clash = known.find(
    (binding) =>
      (binding.host === host || binding.host === '' || host === '') &&
      binding.published[0] <= published[1] &&
      published[0] <= binding.published[1],
  )
  if (!clash) {
    known.push({ service, host, target, published })
    return []
  }
  const isRepeated =
    clash.service === service &&
    clash.host === host &&
    String([clash.published, clash.target]) === String([published, target])
  if (isRepeated) return []
  const who = clash.service === service ? 'twice by this service' : `by ${truncateValue(clash.service)} too`
  const port = Math.max(published[0], clash.published[0])
  return [errorAt(path, `Port ${port} is published ${who}. Choose another port.`)]
}
