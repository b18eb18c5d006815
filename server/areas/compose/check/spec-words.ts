import type { Finding, Path } from './finding.ts'
import { wrong, wrongKey } from './finding.ts'
import { isMap, mapOf } from '../read/loose.ts'
import { didYouMean } from './nearest.ts'
import type { Broken } from './spec-problems.ts'
import { short } from '../read/to-value.ts'

/** Says what is wrong with a value in a sentence, at the key or the value where it is to be put right. */
export function sentenceFor({ path, value, types, error }: Broken): Finding {
  const what = nameOf(path)
  if (path.length === 0 && types.length > 0)
    return wrong(path, 'A compose file begins with services:, and names them below.')
  if (types.length > 0) return wrong(path, `${what} must be ${kindsOf(types)}${insteadOf(value)}.`)
  const params: Record<string, unknown> = error?.params ?? {}
  const schema = mapOf(error?.parentSchema)
  switch (error?.keyword) {
    case 'additionalProperties':
      return unknownKey(path, String(params['additionalProperty']), value, schema)
    case 'required':
      return wrongKey(path, `${what} needs ${String(params['missingProperty'])}.`)
    case 'enum':
      return wrong(path, `${what} must be ${either(allowedOf(params['allowedValues']))}.`)
    case 'uniqueItems':
      return wrong(path, `${what} must not name the same twice.`)
    case 'minimum':
      return wrong(path, `${what} must be at least ${String(params['limit'])}.`)
    case 'maximum':
      return wrong(path, `${what} must be at most ${String(params['limit'])}.`)
    default:
      return wrong(path, `${what} is not as it should be.`)
  }
}

function unknownKey(path: Path, key: string, value: unknown, schema: Record<string, unknown>): Finding {
  const at = [...path, key]
  const patterns = Object.keys(mapOf(schema['patternProperties']))
  const known = Object.keys(mapOf(schema['properties']))
  if (known.length === 0 && patterns.length > 0)
    return wrongKey(at, `The name “${short(key)}” may have only letters, digits, ., _ and -.`)
  if (path.length === 0 && isService(mapOf(value)[key]))
    return wrongKey(at, `“${short(key)}” is not known here. If it is a service, put it under services.`)
  return wrongKey(at, `“${short(key)}” is not known here.${didYouMean(key, known)}`)
}

const isService = (value: unknown) => isMap(value) && ('image' in value || 'build' in value)

/** By its key; an entry of a list by its number. */
function nameOf(path: Path): string {
  const last = path.at(-1) ?? 'The file'
  const before = path.at(-2)
  const isEntry = before !== undefined && /^\d+$/.test(String(last))
  return isEntry ? `Entry ${Number(last) + 1} of ${short(String(before))}` : short(String(last))
}

const kinds: Record<string, string> = {
  object: 'a mapping',
  array: 'a list',
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  null: 'empty',
}

function kindsOf(types: readonly string[]): string {
  const all = new Set(types)
  if (all.has('number')) all.delete('integer')
  // Nobody wants it empty who has put something there.
  if (all.size > 1) all.delete('null')
  return either([...all].map((type) => kinds[type] ?? type))
}

function insteadOf(value: unknown): string {
  if (value === null) return ', and there is nothing'
  if (Array.isArray(value)) return ', not a list'
  return isMap(value) ? ', not a mapping' : ''
}

const allowedOf = (values: unknown): string[] => (Array.isArray(values) ? values.map(String) : [])

const either = (words: readonly string[]) =>
  words.length > 1 ? `${words.slice(0, -1).join(', ')} or ${words.at(-1)}` : (words[0] ?? '')
