import { z } from 'zod'
import { Refusal } from './answer.ts'

/** What a form says with brackets: `items[0][price]=…`, `expand[]=…`, `metadata[key]=…`. */
export type Form = string | Form[] | { [name: string]: Form }

export function readForm(text: string): { [name: string]: Form } {
  const root: Branch = new Map()
  for (const [name, value] of new URLSearchParams(text)) put(root, partsOf(name), value)
  return Object.fromEntries([...root].map(([name, value]) => [name, grow(value)]))
}

type Branch = Map<string, Branch | string>

const partsOf = (name: string): string[] => [
  name.replace(/\[.*$/s, ''),
  ...[...name.matchAll(/\[([^\]]*)\]/g)].map(([, part = '']) => part),
]

function put(branch: Branch, [first = '', ...rest]: string[], value: string) {
  const name = first === '' ? String(branch.size) : first
  if (rest.length === 0) {
    branch.set(name, value)
    return
  }
  const below = branch.get(name)
  const next: Branch = below instanceof Map ? below : new Map<string, Branch | string>()
  branch.set(name, next)
  put(next, rest, value)
}

/** Where all names are numbers it is a list. */
function grow(value: Branch | string): Form {
  if (typeof value === 'string') return value
  const grown = [...value].map(([name, one]): [string, Form] => [name, grow(one)])
  if (grown.every(([name]) => /^\d+$/.test(name)))
    return grown.sort(([a], [b]) => Number(a) - Number(b)).map(([, one]) => one)
  return Object.fromEntries(grown)
}

/** Parameters come as text; these say what the text has to be. */
export const text = z.string().min(1).max(5000)
export const integer = z
  .string()
  .regex(/^-?\d+$/, 'integer')
  .transform(Number)
export const boolean = z.enum(['true', 'false'], { error: 'boolean' }).transform((value) => value === 'true')
/** An empty text takes it away. */
export const orNone = <T extends z.ZodType>(kind: T) => z.union([z.literal('').transform(() => null), kind])
export const metadata = orNone(z.record(z.string().min(1).max(40), z.string().max(500)))
export const expand = z.array(text).optional()
export const url = z.string().regex(/^https?:\/\/\S+$/, 'url')
export const address = orNone(
  z.strictObject({
    city: orNone(text).optional(),
    country: orNone(text).optional(),
    line1: orNone(text).optional(),
    line2: orNone(text).optional(),
    postal_code: orNone(text).optional(),
    state: orNone(text).optional(),
  }),
)
const range = z.strictObject({
  gt: integer.optional(),
  gte: integer.optional(),
  lt: integer.optional(),
  lte: integer.optional(),
})
export const paging = {
  limit: integer.optional(),
  starting_after: text.optional(),
  ending_before: text.optional(),
  created: z.union([integer, range]).optional(),
  expand,
}

/** Refuses the first thing that is wrong, unknown names before all else. */
export function readParams<T extends z.ZodType>(schema: T, given: { [name: string]: Form }): z.output<T> {
  const read = schema.safeParse(given, { reportInput: true })
  if (read.success) return read.data
  const issues = read.error.issues.flatMap((issue) => deepest(issue))
  const unknown = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => nameOf([...issue.path, key])) : [],
  )
  if (unknown.length > 0)
    throw wrong(
      `Received unknown parameter${unknown.length > 1 ? 's' : ''}: ${unknown.join(', ')}`,
      unknown[0],
      'parameter_unknown',
    )
  const [first] = issues
  if (!first) throw new Error('Nothing is wrong with the parameters.')
  throw refusalOf(first)
}

type Issue = z.core.$ZodIssue

/** Of several ways to write it, the one that was meant says what is wrong. */
function deepest(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const meant = issue.errors.at(-1) ?? []
  return meant.flatMap((one) => deepest(Object.assign(one, { path: [...issue.path, ...one.path] })))
}

function refusalOf(issue: Issue): Refusal {
  const param = nameOf(issue.path)
  const last = String(issue.path.at(-1))
  const said = typeof issue.input === 'string' ? issue.input : JSON.stringify(issue.input)
  if (issue.input === undefined) return wrong(`Missing required param: ${param}.`, param, 'parameter_missing')
  if (issue.input === '')
    return wrong(
      `You passed an empty string for '${param}'. We assume empty values are an attempt to unset a parameter; however '${param}' cannot be unset. You should remove '${param}' from your request or supply a non-empty value.`,
      param,
      'parameter_invalid_empty',
    )
  if (issue.message === 'integer')
    return wrong(`Invalid integer: ${said}`, param, 'parameter_invalid_integer')
  if (issue.message === 'boolean') return wrong(`Invalid boolean: ${said}`, param)
  if (issue.message === 'url') return wrong('Not a valid URL', param, 'url_invalid')
  if (issue.code === 'invalid_value')
    return wrong(`Invalid ${param}: must be one of ${issue.values.map(String).join(', ')}`, param)
  if (issue.code === 'too_big')
    return wrong(`Invalid string: ${last} must be at most ${issue.maximum} characters`, param)
  if (Array.isArray(issue.input)) return wrong('Invalid object', param)
  return wrong(
    issue.code === 'invalid_type' && issue.expected === 'array' ? 'Invalid array' : `Invalid ${last}`,
    param,
  )
}

const nameOf = ([first, ...rest]: PropertyKey[]) =>
  String(first) + rest.map((part) => `[${String(part)}]`).join('')

const wrong = (message: string, param?: string, code?: string) =>
  new Refusal(400, { message, param, code }, true)
