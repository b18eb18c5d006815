import type { DeployTemplateBody, TemplateDetails, TemplateInput } from './queries.ts'
import { inputFieldName } from './input-field.tsx'

export type TemplateDraft = Readonly<Record<string, string>>

/** Initial form values. Defaults that reference other inputs are shown as placeholders. */
export const initialDraft = ({ name, inputs }: TemplateDetails): TemplateDraft => ({
  name,
  server_id: '',
  project_id: '',
  address: 'generated',
  host: '',
  https: 'true',
  ...Object.fromEntries(inputs.map((input) => [inputFieldName(input), presetOf(input)])),
})

function presetOf({ type, default: preset, choices }: TemplateInput): string {
  if (preset !== null && !preset.includes('$')) return preset
  if (type === 'boolean') return 'false'
  return type === 'choice' ? (choices[0]?.value ?? '') : ''
}

/** The domain has its own fields. */
export const isFormField = ({ type }: TemplateInput) => type !== 'domain'

/** Required fields that are empty; checked before the call. */
export function missingFields({ inputs, http }: TemplateDetails, draft: TemplateDraft): string[] {
  const wanted = inputs
    .filter(
      (input) => isFormField(input) && input.required && input.default === null && input.generate === null,
    )
    .map(inputFieldName)
  const host = http !== null && draft['address'] === 'own' ? ['host'] : []
  return [...wanted, 'name', 'server_id', ...host].filter((field) => (draft[field] ?? '').trim() === '')
}

/** Omits empty values, so that the server applies defaults and generators. */
export function toDeployBody({ inputs, http }: TemplateDetails, draft: TemplateDraft): DeployTemplateBody {
  const given = inputs.filter(isFormField).flatMap((input) => {
    const typed = draft[inputFieldName(input)] ?? ''
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
