import type { ComposeCheck } from '../compose/check/check-compose-file.ts'
import { isProfileSelected } from '../compose/read/compose-file.ts'
import type { NewApplication } from './plan.ts'
import type { FieldProblems } from './entries/ports.ts'

type Services = ComposeCheck['services']

/** Common HTTP ports, most likely first. */
const commonPorts = [80, 443, 8080, 3000, 8000, 5000]

/** Returns the target of the generated URL: the first service that exposes a port. */
export function firstPort(
  services: Services,
  profiles: readonly string[],
): { service: string; port: number } | undefined {
  const active = services.filter((one) => isProfileSelected(one.profiles, profiles))
  const named = active.flatMap(({ name, ports }) => ports.map((port) => ({ service: name, port })))
  const liked = commonPorts.flatMap((port) => named.find((one) => one.port === port) ?? [])
  return liked[0] ?? named[0]
}

/** Rejects fields that the compose file defines, and checks the service of each domain. */
export const routeProblems = (given: NewApplication, services: Services | undefined): FieldProblems =>
  services
    ? { ...namedTwice(given), ...domainProblems(given, services) }
    : Object.fromEntries(
        given.domains.flatMap(({ service }, index): [string, string[]][] =>
          service === ''
            ? []
            : [
                [
                  `domains.${index}.service`,
                  ['Only compose applications have services. Leave this field empty.'],
                ],
              ],
        ),
      )

const namedTwice = (given: NewApplication): FieldProblems =>
  Object.fromEntries(
    (['labels', 'volumes', 'ports'] as const).flatMap((field): [string, string[]][] =>
      given[field].length === 0 ? [] : [[field, ['Defined in the compose file. Remove this field.']]],
    ),
  )

const domainProblems = ({ domains }: NewApplication, services: Services): FieldProblems =>
  Object.fromEntries(
    domains.flatMap(({ service }, index): [string, string[]][] =>
      services.some(({ name }) => name === service)
        ? []
        : [[`domains.${index}.service`, [notThere(service)]]],
    ),
  )

const notThere = (service: string) =>
  service === '' ? 'Specify the service of the compose file.' : `The compose file has no service ${service}.`
