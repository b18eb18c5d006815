import type { z } from 'zod'
import type { deploymentPlan as planContract } from '../../../../contract/compose.ts'
import { formatList } from '../../../../contract/shared/format-list.ts'
import { needsAdminSentence } from '../../compose/check/privilege-rules.ts'
import type { ReadCompose } from '../compose.ts'
import type { NewApplication } from '../plan.ts'

export function composeSteps(
  server: string,
  { health }: NewApplication,
  { services }: ReadCompose,
): string[] {
  const [names, built] = [services, services.filter(({ builds }) => builds)].map((some) =>
    formatList(some.map(({ name }) => name).toSorted()),
  )
  return [
    `Resolve the compose file with Docker Compose on ${server}.`,
    `Pull the images of ${names} if needed.${built === '' ? '' : ` Build those of ${built}.`}`,
    `Start ${names} in dependency order and wait up to ${health.within_seconds} s for them to become healthy; otherwise the deployment fails and they are removed.`,
  ]
}

/** Based on the file alone; each deployment resolves it with Docker Compose. */
export function firstPlan(asRoot: boolean, { services, found }: ReadCompose): z.input<typeof planContract> {
  const problems = found.filter(({ severity }) => severity === 'error')
  const [powers, warnings] = [true, false].map((isPower) =>
    found.flatMap(({ severity, message, line }) =>
      severity === 'warning' && message.endsWith(needsAdminSentence) === isPower
        ? [`Line ${line}: ${message}`]
        : [],
    ),
  )
  const mayDeploy = (powers ?? []).length === 0 || asRoot
  return {
    services:
      problems.length > 0
        ? []
        : services.map(({ name, image }) => ({ name, action: 'added', reasons: ['New service.'], image })),
    warnings: warnings ?? [],
    host_access: powers ?? [],
    allowed: mayDeploy,
    refusal: mayDeploy ? null : 'Gives containers host access, so an admin must deploy it.',
    revision: null,
    problems,
  }
}
