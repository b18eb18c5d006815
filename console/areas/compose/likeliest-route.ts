import type { ServiceRoute } from '../../lib/service-route.ts'
import type { ComposeService } from './check-query.ts'

/** Where most that is visited listens. */
const usual = [80, 443, 8080, 3000, 8000, 5000]

/** The one that an address most likely leads to. */
export function likeliest(services: readonly ComposeService[]): ServiceRoute {
  const named = services.flatMap(({ name, ports }) => ports.map((port) => ({ service: name, port })))
  const found = usual.flatMap((port) => named.find((one) => one.port === port) ?? [])[0] ?? named[0]
  return { service: found?.service ?? services[0]?.name ?? '', port: String(found?.port ?? ''), address: '' }
}
