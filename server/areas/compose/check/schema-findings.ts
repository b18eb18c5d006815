import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import composeSpec from '../../../../contract/shared/compose-spec.json' with { type: 'json' }
import type { Finding, Path } from './finding.ts'
import { describeViolation } from './schema-messages.ts'

/** The one violation reported for a value. */
export interface SchemaViolation {
  path: Path
  value: unknown
  /** Allowed types; empty when the type is not the problem. */
  types: string[]
  error: ErrorObject | undefined
}

const maxFindings = 100

/** Constant: compiled at first use, because that is slow. */
let validate: ValidateFunction | undefined

export function schemaFindings(file: unknown, isText: (path: Path) => boolean): Finding[] {
  validate ??= compile()
  if (validate(file)) return []
  return collapse(validate.errors ?? [])
    .filter((broken) => !isCast(broken, isText))
    .slice(0, maxFindings)
    .map(describeViolation)
}

function compile(): ValidateFunction {
  const ajv = new Ajv({ strict: false, allErrors: true, verbose: true, validateSchema: false, logger: false })
  // Ajv's own implementation is quadratic.
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    validate: (isOn: boolean, list: unknown[]) =>
      !isOn || new Set(list.map((one) => JSON.stringify(one))).size === list.length,
  })
  // Our own rules report these formats in clearer sentences.
  for (const format of ['duration', 'ports', 'expose', 'subnet_ip_address']) ajv.addFormat(format, true)
  return ajv.compile(composeSpec)
}

const isChoice = ({ keyword }: ErrorObject) => ['oneOf', 'anyOf', 'if', 'not'].includes(keyword)

/**
 * Each form that a value may have reports its own errors. Only those of the form with the value's own type are kept,
 * because that form was meant.
 */
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
    const at = { path: stepsOf(path), value: all[0]?.data }
    const unknown = own.filter(({ keyword }) => keyword === 'additionalProperties')
    if (unknown.length > 0) return unknown.map((error) => ({ ...at, types: [], error }))
    if (own[0]) return [{ ...at, types: [], error: own[0] }]
    if (holders.has(path)) return []
    return [{ ...at, types, error: types.length > 0 ? undefined : all[0] }]
  })
}

const stepsOf = (path: string): string[] =>
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
