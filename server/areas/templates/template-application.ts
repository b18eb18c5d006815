import type { z } from 'zod'
import { createApplication } from '../../../contract/applications.ts'
import type { deployTemplate } from '../../../contract/templates.ts'
import { domainFields } from '../../../contract/domains.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { FromTemplate } from '../applications/from-template.ts'
import type { NewApplication } from '../applications/plan.ts'
import type { FieldProblems } from '../applications/entries/ports.ts'
import type { FilledInputs } from './fill-inputs.ts'
import { fillInputsInWorker } from './in-worker.ts'
import type { LoadedTemplate } from './template.ts'

export type DeployTemplateInput = z.output<(typeof deployTemplate)['body']>

/** The application that deploying it makes. */
export function applicationFromTemplate(
  workspaceId: Id<'workspace'>,
  found: LoadedTemplate,
  given: DeployTemplateInput,
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
    health: { type: 'auto', within_seconds: found.healthTimeout },
  })
  // Secrets are generated once, and what was filled in before a transaction is at hand within it.
  const filledFor = new Map<string, Promise<FilledInputs>>()
  const fill: FromTemplate['fill'] = async (address) => {
    const key = address?.url ?? ''
    const filling = filledFor.get(key) ?? fillInputsInWorker(workspaceId, inputs, given.inputs, address)
    filledFor.set(key, filling)
    const filled = await filling
    return { env: filled.env, problems: { ...filled.problems, ...problems } }
  }
  return { ...fields, template: { services, http, fill } }
}

interface OwnDomain {
  domain?: DeployTemplateInput['domain']
  problems: FieldProblems
}

/** The address of one's own: named as such, or as the input that is one. */
function domainOf({ http, inputs, name }: LoadedTemplate, given: DeployTemplateInput): OwnDomain {
  const input = inputs.find(({ type }) => type === 'domain')
  const typed = input && Object.hasOwn(given.inputs, input.name) ? given.inputs[input.name] : undefined
  const wrong = (field: string, why: string) => ({ problems: { [field]: [why] } })
  if (given.domain && !http)
    return wrong(
      'domain.host',
      `Template ${name} has no HTTP service, so it cannot have a domain. Remove the domain.`,
    )
  if (!input || typed === undefined || typed === '') return { domain: given.domain, problems: {} }
  const host = domainFields.host.safeParse(typed)
  if (!host.success) return wrong(`inputs.${input.name}`, 'Must be a domain, such as app.example.com.')
  if (given.domain && given.domain.host !== host.data)
    return wrong(`inputs.${input.name}`, 'This differs from the domain of the application.')
  return { domain: given.domain ?? { host: host.data, https: true }, problems: {} }
}

/** Named as the fields of the body are. */
export const toTemplateProblems = (problems: FieldProblems): FieldProblems =>
  Object.fromEntries(
    Object.entries(problems).map(([field, sentences]) => {
      if (field === 'source.compose')
        return ['inputs', sentences.map((one) => `compose.yaml, ${one.replace(/^L/, 'l')}`)]
      return [field.replace(/^domains\.0\./, 'domain.'), sentences]
    }),
  )
