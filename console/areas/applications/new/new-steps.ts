import { readCommandLine } from '../../../../contract/shared/command-line.ts'
import { readVariables } from '../../../../contract/shared/dotenv.ts'
import { splitNonBlankLines } from '../../../../contract/shared/entries.ts'
import { ApiError } from '../../../lib/http/api-error.ts'
import { toTextError } from '../entries/entry-errors.ts'
import { validateDraft, isKeyless } from './new-body.ts'
import { isComposeDraft, type NewApplicationDraft } from './new-draft.ts'

export const steps = [
  { step: 'source', label: 'Source', heading: 'Source' },
  { step: 'server', label: 'Server', heading: 'Server' },
  { step: 'configuration', label: 'Configuration', heading: 'Configure' },
  { step: 'review', label: 'Review', heading: 'Review' },
] as const

export type WizardStep = (typeof steps)[number]['step']
export type FieldErrors = Readonly<Record<string, string>>

/** Returns the step of a field. The environment of a compose file is entered with the file. */
export function findStep(field: string, draft: Pick<NewApplicationDraft, 'source.type'>): WizardStep {
  if (field.startsWith('source') || (field === 'env' && isComposeDraft(draft))) return 'source'
  return field === 'server_id' ? 'server' : 'configuration'
}

export function dropStaleErrors(
  errors: FieldErrors,
  then: NewApplicationDraft,
  now: NewApplicationDraft,
): FieldErrors {
  const [before, after] = [then, now].map((draft) => new Map<string, unknown>(Object.entries(draft)))
  return Object.fromEntries(
    Object.entries(errors).filter(([field]) => before?.get(field) === after?.get(field)),
  )
}

export const filterErrorsByStep = (
  errors: FieldErrors,
  step: WizardStep,
  draft: NewApplicationDraft,
): FieldErrors =>
  Object.fromEntries(Object.entries(errors).filter(([field]) => findStep(field, draft) === step))

/** Returns the asked step, or the first step before it that has errors. */
export function reachableStep(draft: NewApplicationDraft, asked: string): WizardStep {
  const faults = new Set(Object.keys(validateDraft(draft)).map((field) => findStep(field, draft)))
  const requested = Math.max(
    steps.findIndex(({ step }) => step === asked),
    0,
  )
  const barred = steps.findIndex(({ step }) => faults.has(step))
  // After a reload the user must see that fields were dropped before the review.
  const most = barred >= 0 ? barred : draft.lost ? 2 : 3
  return steps[Math.min(requested, most)]?.step ?? 'source'
}

/** Assigns server errors to form fields. Errors of single entries name the entry. */
export function assignErrors(fields: FieldErrors, draft: NewApplicationDraft): FieldErrors {
  const entries: Record<string, readonly string[]> = {
    env: readVariables(draft.env).map(({ key }) => key),
    labels: draft.labels.filter((label) => !isKeyless(label)),
    volumes: splitNonBlankLines(draft.volumes),
    ports: splitNonBlankLines(draft.ports),
    // Compose domains have one field each.
    ...(isComposeDraft(draft) ? {} : { domains: splitNonBlankLines(draft.domains) }),
    command: readCommandLine(draft.command).words,
  }
  const failure = new ApiError({ messages: [], fields })
  const placed = Object.entries(fields).map(([field, sentence]) => {
    const [of = ''] = field.split('.', 1)
    const textError = of in entries ? toTextError(failure, of, entries[of] ?? []) : undefined
    return textError instanceof ApiError ? [of, textError.fields[of] ?? sentence] : [field, sentence]
  })
  return Object.fromEntries(placed)
}

export const firstErrors = (problems: Readonly<Record<string, readonly string[]>>): FieldErrors =>
  Object.fromEntries(
    Object.entries(problems).flatMap(([field, [first]]) => (first === undefined ? [] : [[field, first]])),
  )
