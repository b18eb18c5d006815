import { reservedPorts } from '../../../../contract/shared/application-fields.ts'
import type { ComposeFile } from '../read/compose-file.ts'
import { warningAt, type Finding, type Path, errorAt } from './finding.ts'
import { toList } from '../read/untyped.ts'
import { readPort, type WrittenPort } from '../read/short-forms.ts'
import { truncateValue } from '../read/to-value.ts'

const mostOfRange = 100
/** Default ports of the proxy; the file does not know those of the server. */
const proxyPorts = [80, 443]

interface Holder {
  service: string
  host: string
}

export function portRules({ services, isActive }: ComposeFile): Finding[] {
  const holders = new Map<string, Holder[]>()
  return Object.entries(services).flatMap(([service, { ports }]) =>
    toList(ports).flatMap((written, step) => {
      const path = ['services', service, 'ports', step]
      const port = readPort(written)
      if (!port) return [errorAt(path, 'Invalid port mapping. Use host:container, such as 8080:80.')]
      const own = portProblem(port, path)
      return own || !isActive(service) ? (own ?? []) : clash(holders, service, port, path)
    }),
  )
}

function portProblem({ published, target, protocol }: WrittenPort, path: Path): Finding[] | undefined {
  if (Math.max(published.length, target.length) > mostOfRange)
    return [errorAt(path, `A port range can have at most ${mostOfRange} ports.`)]
  if (published.length > 1 && target.length > 1 && published.length !== target.length)
    return [errorAt(path, 'Both port ranges must have the same length.')]
  if (published.some((port) => reservedPorts.has(port)))
    return [errorAt(path, 'Ports 22, 2375 and 2376 are reserved for the server. Choose another port.')]
  const proxys = protocol === 'tcp' ? published.find((port) => proxyPorts.includes(port)) : undefined
  if (proxys !== undefined)
    return [
      warningAt(
        path,
        `Port ${proxys} is used by the proxy and is not published. Add a domain to the service instead.`,
      ),
    ]
  return published.length === 0 && protocol === 'tcp'
    ? [
        warningAt(
          path,
          `No server port is set, so the port is not published. Add a domain to the service, or write 8080:${target[0]}.`,
        ),
      ]
    : undefined
}

function clash(
  holders: Map<string, Holder[]>,
  service: string,
  { published, protocol, host }: WrittenPort,
  path: Path,
): Finding[] {
  const findings = published.flatMap((port): Finding[] => {
    const key = `${port}/${protocol}`
    const known = holders.get(key) ?? []
    holders.set(key, known)
    const clash = known.find((binding) => binding.host === host || binding.host === '' || host === '')
    known.push({ service, host })
    if (!clash) return []
    const who = clash.service === service ? 'twice by this service' : `by ${truncateValue(clash.service)} too`
    return [errorAt(path, `Port ${port} is published ${who}. Choose another port.`)]
  })
  return findings.slice(0, 1)
}
