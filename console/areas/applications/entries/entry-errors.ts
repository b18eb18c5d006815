import { Failure } from '../../../lib/http/failure.ts'
import { notify } from '../../../lib/notify.ts'

/**
 * Saves the entries of a text. One that is refused is named by its number, as `env.3.key`: here it is said at the field
 * of the text which one that is, by the `names` of the entries in their order. The save itself has to be quiet.
 */
export async function atText<T>(field: string, names: readonly string[], save: () => Promise<T>): Promise<T> {
  try {
    return await save()
  } catch (error) {
    const told = toldAtText(error, field, names)
    notify(told)
    throw told
  }
}

export function toldAtText(error: unknown, field: string, names: readonly string[]): unknown {
  if (!(error instanceof Failure)) return error
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
  const more = others.length === 0 ? '' : ` (${others.length} more like this.)`
  const { status, code } = error
  return new Failure({ messages: [first + more], fields: { [field]: first + more }, status, code })
}

/** What is said of the entries of a text, at its field. */
export function entryError(
  fields: Readonly<Record<string, string>>,
  field: string,
  names: readonly string[],
): string | undefined {
  const told = toldAtText(new Failure({ messages: [], fields: { ...fields } }), field, names)
  return told instanceof Failure ? told.fields[field] : undefined
}

/** What the sentence is about, where that is not the beginning of the entry. */
const parts = new Map([
  ['value', ', its value'],
  ['target', ', in the container'],
])
const partOf = ([part = '']: string[]) => parts.get(part) ?? ''

const shortened = (name: string) => (name.length > 60 ? `${name.slice(0, 60)}…` : name)
