import type { z } from 'zod'
import type { plan as planContract } from '../../../../contract/compose.ts'
import { inAList } from '../../../platform/text/in-a-list.ts'
import { needsAdmin } from '../../compose/check/reach-rules.ts'
import type { ReadCompose } from '../compose.ts'
import type { NewApplication } from '../plan.ts'

/** What deploying a compose file does until it is reached, in order, as sentences. */
export function composeSteps(
  server: string,
  { health }: NewApplication,
  { services }: ReadCompose,
): string[] {
  const [names, built] = [services, services.filter(({ builds }) => builds)].map((some) =>
    inAList(some.map(({ name }) => name).toSorted()),
  )
  return [
    `Read the compose file with Docker Compose on ${server}.`,
    `Pull the images of ${names}, unless they are there already.${built === '' ? '' : ` Those of ${built} are built there.`}`,
    `Start ${names}, each after those that it depends on, and wait at most ${health.within_seconds} seconds until they are well. If that does not happen, they are removed again and the log says why.`,
  ]
}

/** As far as the file tells; what Docker Compose makes of it is looked at with each deployment. */
export function firstPlan(asRoot: boolean, { services, found }: ReadCompose): z.input<typeof planContract> {
  const problems = found.filter(({ severity }) => severity === 'error')
  const [powers, warnings] = [true, false].map((isPower) =>
    found.flatMap(({ severity, message, line }) =>
      severity === 'warning' && message.endsWith(needsAdmin) === isPower ? [`Line ${line}: ${message}`] : [],
    ),
  )
  const mayDeploy = (powers ?? []).length === 0 || asRoot
  return {
    services:
      problems.length > 0
        ? []
        : services.map(({ name, image }) => ({ name, action: 'added', why: ['It is new.'], image })),
    warnings: warnings ?? [],
    powers: powers ?? [],
    allowed: mayDeploy,
    refusal: mayDeploy ? null : 'This gives containers host access, so that an admin has to deploy it.',
    revision: null,
    problems,
  }
}
