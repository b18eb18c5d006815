import { readCommandLine } from '../../../../contract/shared/command-line.ts'
import { readVariables } from '../../../../contract/shared/dotenv.ts'
import { splitNonBlankLines } from '../../../../contract/shared/entries.ts'
import { ApiError } from '../../../lib/http/api-error.ts'
import { toTextError } from '../entries/entry-errors.ts'
import { isKeyless } from './new-body.ts'
import { isComposeDraft, type NewApplicationDraft } from './new-draft.ts'

export type FieldErrors = Readonly<Record<string, string>>

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

/** Assigns server errors to form fields. An error of a single entry names that entry. */
export function assignErrors(fields: FieldErrors, draft: NewApplicationDraft): FieldErrors {
  const entries: Record<string, readonly string[]> = {
    env: readVariables(draft.env).map(({ key }) => key),
    labels: draft.labels.filter((label) => !isKeyless(label)),
    volumes: splitNonBlankLines(draft.volumes),
    ports: splitNonBlankLines(draft.ports),
    // Each domain of a compose application has a field of its own.
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
