import { Ajv, type AnySchemaObject, type ErrorObject, type ValidateFunction } from 'ajv'
import type { DataValidationCxt } from 'ajv/dist/types/index.js'
import composeSpec from '../../../../contract/shared/compose-spec.json' with { type: 'json' }
import { errorAt, errorAtKey, type Finding, type Path } from './finding.ts'
import { DateScalar } from '../read/plain-scalar.ts'
import { refusedKeys } from '../read/service-keys.ts'
import { isMap, toMap } from '../read/untyped.ts'
import { didYouMean } from './closest-match.ts'
import { truncateValue } from '../read/to-value.ts'
import { formatAlternatives } from '../../../../contract/shared/format-list.ts'

export interface SchemaViolation {
  path: Path
  value: unknown
  types: string[]
  error: ErrorObject | undefined
}

const maxFindings = 100

/** Compiled once, at the first use, because compiling the schema is slow. */
let validate: ValidateFunction | undefined

export function schemaFindings(file: unknown, isText: (path: Path) => boolean): Finding[] {
  validate ??= compile()
  if (validate(file)) return []
  return collapse(validate.errors ?? [])
    .filter((broken) => !isCast(broken, isText) && !isRefused(broken))
    .slice(0, maxFindings)
    .map(describeViolation)
}

function compile(): ValidateFunction {
  const ajv = new Ajv({ strict: false, allErrors: true, verbose: true, validateSchema: false, logger: false })
  // Replace this keyword, because the implementation of Ajv takes quadratic time.
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    validate: (isOn: boolean, list: unknown[], _schema?: AnySchemaObject, at?: DataValidationCxt) =>
      !isOn ||
      !keptDuplicates.has(String(at?.parentDataProperty)) ||
      new Set(list.map((item) => JSON.stringify(item))).size === list.length,
  })
  // Our own rules report these formats in clearer sentences.
  for (const format of ['duration', 'ports', 'expose', 'subnet_ip_address']) ajv.addFormat(format, true)
  return ajv.compile(composeSpec)
}

/** Docker Compose removes duplicates from all other lists before it checks them. */
const keptDuplicates = new Set([
  'depends_on',
  'device_cgroup_rules',
  'external_links',
  'extra_hosts',
  'group_add',
  'networks',
  'security_opt',
  'volumes_from',
])

const isChoice = ({ keyword }: ErrorObject) => ['oneOf', 'anyOf', 'if', 'not'].includes(keyword)

/** Keeps only the errors of the alternative that allows the type of the value, because the author meant that one. */
function collapse(errors: readonly ErrorObject[]): SchemaViolation[] {
  const byPath = new Map<string, ErrorObject[]>()
  const holders = new Set<string>()
  for (const error of errors) {
    const list = byPath.get(error.instancePath)
    if (list) list.push(error)
    else {
      byPath.set(error.instancePath, [error])
      for (let path = error.instancePath; path !== '';)
        holders.add((path = path.slice(0, path.lastIndexOf('/'))))
    }
  }
  return [...byPath].flatMap(([path, all]) => {
    const own = all.filter((error) => !isChoice(error) && error.keyword !== 'type')
    const types = all.flatMap(({ keyword, params }) =>
      keyword === 'type' ? [params.type].flat().map(String) : [],
    )
    const location = { path: splitPointer(path), value: all[0]?.data }
    const unknown = own.filter(({ keyword }) => keyword === 'additionalProperties')
    if (unknown.length > 0) return unknown.map((error) => ({ ...location, types: [], error }))
    if (own[0]) return [{ ...location, types: [], error: own[0] }]
    if (holders.has(path)) return []
    return [{ ...location, types, error: types.length > 0 ? undefined : all[0] }]
  })
}

const splitPointer = (path: string): string[] =>
  path
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

/** Interpolated values are text, which Compose casts to a number or boolean where needed. */
function isCast({ path, value, types }: SchemaViolation, isText: (path: Path) => boolean): boolean {
  if (typeof value !== 'string' || types.length === 0 || !isText(path)) return false
  const isNumber = value.trim() !== '' && !Number.isNaN(Number(value))
  const isFlag = /^(true|false|yes|no|on|off|y|n|1|0)$/i.test(value)
  return types.some((type) =>
    type === 'boolean' ? isFlag : ['integer', 'number'].includes(type) && isNumber,
  )
}

/** Whether another rule refuses the key with a reason, so that the schema need not report it. */
function isRefused({ path, error }: SchemaViolation): boolean {
  if (error?.keyword !== 'additionalProperties') return false
  const key = String(error.params['additionalProperty'])
  return path.length === 0
    ? key === 'models'
    : path.length === 2 && path[0] === 'services' && Object.hasOwn(refusedKeys, key)
}

function describeViolation({ path, value, types, error }: SchemaViolation): Finding {
  const what = formatPath(path)
  if (path.length === 0 && types.length > 0)
    return errorAt(path, 'A compose file must have the key services: with the services below it.')
  if (types.length > 0)
    return errorAt(path, `${what} must be ${describeTypes(types)}${describeActual(value)}.`)
  const params: Record<string, unknown> = error?.params ?? {}
  const schema = toMap(error?.parentSchema)
  switch (error?.keyword) {
    case 'additionalProperties':
      return unknownKey(path, String(params['additionalProperty']), value, schema)
    case 'required':
      return errorAtKey(path, `${what} needs ${String(params['missingProperty'])}.`)
    case 'enum':
      return errorAt(path, `${what} must be ${formatAlternatives(toAllowed(params['allowedValues']))}.`)
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

function formatPath(path: Path): string {
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

function describeTypes(types: readonly string[]): string {
  const all = new Set(types)
  if (all.has('number')) all.delete('integer')
  // Do not suggest null, because the author set a value.
  if (all.size > 1) all.delete('null')
  return formatAlternatives([...all].map((type) => kinds[type] ?? type))
}

function describeActual(value: unknown): string {
  if (value === null) return ', but it is empty'
  if (Array.isArray(value)) return ', not a list'
  if (value instanceof DateScalar) return ', but YAML reads it as a date. Put it in quotes'
  return isMap(value) ? ', not a mapping' : ''
}

const toAllowed = (values: unknown): string[] => (Array.isArray(values) ? values.map(String) : [])
