import type { Finding, Path } from './finding.ts'
import { errorAt, errorAtKey } from './finding.ts'
import { isMap, toMap } from '../read/untyped.ts'
import { didYouMean } from './closest-match.ts'
import type { SchemaViolation } from './schema-findings.ts'
import { truncateValue } from '../read/to-value.ts'
import { formatAlternatives } from '../../../../contract/shared/format-list.ts'

/** Describes a violation at the key or value that must be fixed. */
export function describeViolation({ path, value, types, error }: SchemaViolation): Finding {
  const what = nameOf(path)
  if (path.length === 0 && types.length > 0)
    return errorAt(path, 'A compose file starts with services: and lists them below.')
  if (types.length > 0) return errorAt(path, `${what} must be ${kindsOf(types)}${insteadOf(value)}.`)
  const params: Record<string, unknown> = error?.params ?? {}
  const schema = toMap(error?.parentSchema)
  switch (error?.keyword) {
    case 'additionalProperties':
      return unknownKey(path, String(params['additionalProperty']), value, schema)
    case 'required':
      return errorAtKey(path, `${what} needs ${String(params['missingProperty'])}.`)
    case 'enum':
      return errorAt(path, `${what} must be ${formatAlternatives(allowedOf(params['allowedValues']))}.`)
    case 'uniqueItems':
      return errorAt(path, `${what} must not contain duplicates.`)
    case 'minimum':
      return errorAt(path, `${what} must be at least ${String(params['limit'])}.`)
    case 'maximum':
      return errorAt(path, `${what} must be at most ${String(params['limit'])}.`)
    default:
      return errorAt(path, `${what} is invalid.`)
  }
}

function unknownKey(path: Path, key: string, value: unknown, schema: Record<string, unknown>): Finding {
  const at = [...path, key]
  const patterns = Object.keys(toMap(schema['patternProperties']))
  const known = Object.keys(toMap(schema['properties']))
  if (known.length === 0 && patterns.length > 0)
    return errorAtKey(at, `The name “${truncateValue(key)}” can contain only letters, digits, ., _ and -.`)
  if (path.length === 0 && isService(toMap(value)[key]))
    return errorAtKey(at, `Unknown key “${truncateValue(key)}”. If it is a service, move it under services.`)
  return errorAtKey(at, `Unknown key “${truncateValue(key)}”.${didYouMean(key, known)}`)
}

const isService = (value: unknown) => isMap(value) && ('image' in value || 'build' in value)

/** Names a list entry by its number. */
function nameOf(path: Path): string {
  const last = path.at(-1) ?? 'The file'
  const before = path.at(-2)
  const isEntry = before !== undefined && /^\d+$/.test(String(last))
  return isEntry
    ? `Entry ${Number(last) + 1} of ${truncateValue(String(before))}`
    : truncateValue(String(last))
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
  // A value that is set was not meant to be null.
  if (all.size > 1) all.delete('null')
  return formatAlternatives([...all].map((type) => kinds[type] ?? type))
}

function insteadOf(value: unknown): string {
  if (value === null) return ', but it is empty'
  if (Array.isArray(value)) return ', not a list'
  return isMap(value) ? ', not a mapping' : ''
}

const allowedOf = (values: unknown): string[] => (Array.isArray(values) ? values.map(String) : [])
