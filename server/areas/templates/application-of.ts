import type { z } from 'zod'
import { createApplication } from '../../../contract/applications.ts'
import type { deployTemplate } from '../../../contract/templates.ts'
import { domainFields } from '../../../contract/domains.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { FromTemplate } from '../applications/from-template.ts'
import type { NewApplication } from '../applications/plan.ts'
import type { FieldProblems } from '../applications/entries/ports.ts'
import type { FilledInputs } from './fill-inputs.ts'
import { fillInputsOffLoop } from './off-loop.ts'
import type { FoundTemplate } from './template.ts'

/** What somebody fills in. */
export type Deploying = z.output<(typeof deployTemplate)['body']>

/** The application that deploying it makes. */
export function applicationOf(
  workspaceId: Id<'workspace'>,
  found: FoundTemplate,
  given: Deploying,
): NewApplication {
  const { http, inputs, services } = found
  const { domain, problems } = domainOf(found, given)
  const fields = createApplication.body.parse({
    name: given.name ?? found.name,
    source: { type: 'compose', compose: found.files.compose },
    server_id: given.server_id,
    project_id: given.project_id,
    domains: domain && http ? [{ ...domain, service: http.service, port: http.port }] : [],
    generated_address: http !== null && !domain,
    health: { type: 'auto', within_seconds: found.patience },
  })
  // Secrets are generated once, and what was filled in before a transaction is at hand within it.
  const filledFor = new Map<string, Promise<FilledInputs>>()
  const fill: FromTemplate['fill'] = async (address) => {
    const key = address?.url ?? ''
    const filling = filledFor.get(key) ?? fillInputsOffLoop(workspaceId, inputs, given.inputs, address)
    filledFor.set(key, filling)
    const filled = await filling
    return { env: filled.env, problems: { ...filled.problems, ...problems } }
  }
  return { ...fields, template: { services, http, fill } }
}

interface OwnDomain {
  domain?: Deploying['domain']
  problems: FieldProblems
}

/** The address of one's own: named as such, or as the input that is one. */
function domainOf({ http, inputs, name }: FoundTemplate, given: Deploying): OwnDomain {
  const input = inputs.find(({ type }) => type === 'domain')
  const typed = input && Object.hasOwn(given.inputs, input.name) ? given.inputs[input.name] : undefined
  const wrong = (field: string, why: string) => ({ problems: { [field]: [why] } })
  if (given.domain && !http)
    return wrong(
      'domain.host',
      `The template ${name} takes no HTTP, so that no domain can lead to it. Leave it out.`,
    )
  if (!input || typed === undefined || typed === '') return { domain: given.domain, problems: {} }
  const host = domainFields.host.safeParse(typed)
  if (!host.success) return wrong(`inputs.${input.name}`, 'Must be a domain, such as app.example.com.')
  if (given.domain && given.domain.host !== host.data)
    return wrong(`inputs.${input.name}`, 'This is another domain than the one that is given as such.')
  return { domain: given.domain ?? { host: host.data, https: true }, problems: {} }
}

/** Named as the fields of the body are. */
export const problemsOf = (problems: FieldProblems): FieldProblems =>
  Object.fromEntries(
    Object.entries(problems).map(([field, sentences]) => {
      if (field === 'source.compose')
        return ['inputs', sentences.map((one) => `compose.yaml, ${one.replace(/^L/, 'l')}`)]
      return [field.replace(/^domains\.0\./, 'domain.'), sentences]
    }),
  )
