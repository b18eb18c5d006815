import type { Checked } from '../compose/check/check-file.ts'
import { isChosen } from '../compose/read/compose-file.ts'
import type { NewApplication } from './plan.ts'
import type { Problems } from './entries/ports.ts'

type Services = Checked['services']

/** Where most programs that people visit listen, the likeliest first. */
const usual = [80, 443, 8080, 3000, 8000, 5000]

/** Where the generated address of a compose file leads: to the first service that names a port. */
export function firstPort(
  services: Services,
  profiles: readonly string[],
): { service: string; port: number } | undefined {
  const active = services.filter((one) => isChosen(one.profiles, profiles))
  const named = active.flatMap(({ name, ports }) => ports.map((port) => ({ service: name, port })))
  const liked = usual.flatMap((port) => named.find((one) => one.port === port) ?? [])
  return liked[0] ?? named[0]
}

/** What a compose file says itself, and which of its services each address leads to. */
export const routeProblems = (given: NewApplication, services: Services | undefined): Problems =>
  services
    ? { ...namedTwice(given), ...domainProblems(given, services) }
    : Object.fromEntries(
        given.domains.flatMap(({ service }, index): [string, string[]][] =>
          service === ''
            ? []
            : [[`domains.${index}.service`, ['Only a compose file has services. Leave it empty.']]],
        ),
      )

const namedTwice = (given: NewApplication): Problems =>
  Object.fromEntries(
    (['labels', 'volumes', 'ports'] as const).flatMap((field): [string, string[]][] =>
      given[field].length === 0
        ? []
        : [[field, ['These are named in the compose file. Leave them out here.']]],
    ),
  )

const domainProblems = ({ domains }: NewApplication, services: Services): Problems =>
  Object.fromEntries(
    domains.flatMap(({ service }, index): [string, string[]][] =>
      services.some(({ name }) => name === service)
        ? []
        : [[`domains.${index}.service`, [notThere(service)]]],
    ),
  )

const notThere = (service: string) =>
  service === ''
    ? 'Name the service of the compose file that it leads to.'
    : `There is no service ${service} in the compose file.`
