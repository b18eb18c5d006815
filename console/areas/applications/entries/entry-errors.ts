import { ApiError } from '../../../lib/http/api-error.ts'
import { notify } from '../../../lib/notify.ts'

/**
 * Saves a text with one entry per line. Errors of fields such as `env.3.key` move to the text field and name the entry
 * by its position in `names`. The mutation must be quiet, because this function shows the errors.
 */
export async function withTextErrors<T>(
  field: string,
  names: readonly string[],
  save: () => Promise<T>,
): Promise<T> {
  try {
    return await save()
  } catch (error) {
    const textError = toTextError(error, field, names)
    notify(textError)
    throw textError
  }
}

export function toTextError(error: unknown, field: string, names: readonly string[]): unknown {
  if (!(error instanceof ApiError)) return error
  const sentences = Object.entries(error.fields).flatMap(([at, sentence]) => {
    if (at !== field && !at.startsWith(`${field}.`)) return []
    const [number, ...part] = at === field ? [] : at.slice(field.length + 1).split('.')
    const name = number === undefined ? undefined : names[Number(number)]?.trim()
    if (name === undefined) return [sentence]
    return [
      `${name === '' ? `Entry ${Number(number) + 1}` : `“${shortened(name)}”`}${partOf(part)}: ${sentence}`,
    ]
  })
  const [first, ...others] = sentences
  if (first === undefined) return error
  const more = others.length === 0 ? '' : ` (${others.length} more)`
  const { status, code } = error
  return new ApiError({ messages: [first + more], fields: { [field]: first + more }, status, code })
}

export function entryError(
  fields: Readonly<Record<string, string>>,
  field: string,
  names: readonly string[],
): string | undefined {
  const textError = toTextError(new ApiError({ messages: [], fields: { ...fields } }), field, names)
  return textError instanceof ApiError ? textError.fields[field] : undefined
}

const parts = new Map([
  ['value', ', value'],
  ['target', ', container side'],
])
const partOf = ([part = '']: string[]) => parts.get(part) ?? ''

const shortened = (name: string) => (name.length > 60 ? `${name.slice(0, 60)}…` : name)
