import type { DeployTemplateBody, TemplateDetails, TemplateInput } from './queries.ts'
import { fieldNameOf } from './input-field.tsx'

export type Draft = Readonly<Record<string, string>>

/** What the form holds before anybody types. A default that is made of other inputs is shown, and not held. */
export const initialDraft = ({ name, inputs }: TemplateDetails): Draft => ({
  name,
  server_id: '',
  project_id: '',
  address: 'generated',
  host: '',
  https: 'true',
  ...Object.fromEntries(inputs.map((input) => [fieldNameOf(input), presetOf(input)])),
})

function presetOf({ type, default: preset, choices }: TemplateInput): string {
  if (preset !== null && !preset.includes('$')) return preset
  if (type === 'boolean') return 'false'
  return type === 'choice' ? (choices[0]?.value ?? '') : ''
}

/** The address has fields of its own. */
export const isFormField = ({ type }: TemplateInput) => type !== 'domain'

/** What is required and has nothing in it: no call is made. */
export function missingFields({ inputs, http }: TemplateDetails, draft: Draft): string[] {
  const wanted = inputs
    .filter(
      (input) => isFormField(input) && input.required && input.default === null && input.generate === null,
    )
    .map(fieldNameOf)
  const host = http !== null && draft['address'] === 'own' ? ['host'] : []
  return [...wanted, 'name', 'server_id', ...host].filter((field) => (draft[field] ?? '').trim() === '')
}

/** The body of the call; what is empty is left out, so that it gets its default or is generated. */
export function toDeployBody({ inputs, http }: TemplateDetails, draft: Draft): DeployTemplateBody {
  const given = inputs.filter(isFormField).flatMap((input) => {
    const typed = draft[fieldNameOf(input)] ?? ''
    return typed === '' ? [] : [[input.name, typed]]
  })
  const project = draft['project_id'] ?? ''
  return {
    server_id: draft['server_id'] ?? '',
    name: draft['name'] ?? '',
    inputs: Object.fromEntries(given),
    ...(http !== null && draft['address'] === 'own'
      ? { domain: { host: draft['host'] ?? '', https: draft['https'] === 'true' } }
      : {}),
    ...(project === '' ? {} : { project_id: project }),
  }
}
