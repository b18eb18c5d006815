export interface VariableUse {
  name: string
  at: number
  isUnset?: boolean
  wrong?: string
}

export interface Interpolated {
  text: string
  uses: VariableUse[]
}

/** Limits the characters of an interpolated file, because repeated values could expand it without bound. */
export interface Budget {
  left: number
}

const deepest = 10
const costOfUse = 100
const name = /[_a-zA-Z]\w*/y
const rule = /:?[-+?]/y

/**
 * Supports Compose's syntax: $A, ${A}, the operators -, + and ?, and $$ for a dollar sign. A $ before anything else, such as
 * in $(date), stays as it is.
 */
export function interpolate(
  text: string,
  env: ReadonlyMap<string, string>,
  budget: Budget,
  depth = 0,
): Interpolated {
  const parts: string[] = []
  const uses: VariableUse[] = []
  let from = 0
  for (let at = text.indexOf('$'); at >= 0 && budget.left >= 0; at = text.indexOf('$', from)) {
    parts.push(text.slice(from, at))
    const taken = replaceVariable(text, at, env, budget, depth)
    parts.push(taken.text)
    for (const use of taken.uses) uses.push(use)
    budget.left -= costOfUse
    from = taken.end
  }
  parts.push(text.slice(from))
  return { text: parts.join(''), uses }
}

type Replacement = Interpolated & { end: number }

function replaceVariable(
  text: string,
  at: number,
  env: ReadonlyMap<string, string>,
  budget: Budget,
  depth: number,
): Replacement {
  const next = text[at + 1]
  if (next === '$') return { text: '$', uses: [], end: at + 2 }
  const isBraced = next === '{'
  const called = matchAt(name, text, at + (isBraced ? 2 : 1))
  if (called === '' && !isBraced) return { text: '$', uses: [], end: at + 1 }
  if (called === '') return bad(at, '${ must be followed by a variable name. To write ${ literally, use $${.')
  const value = env.get(called)
  const after = at + (isBraced ? 2 : 1) + called.length
  if (!isBraced || text[after] === '}') {
    const use = { name: called, at, ...(value === undefined && { isUnset: true }) }
    return { text: spend(value ?? '', budget), uses: [use], end: isBraced ? after + 1 : after }
  }
  const how = matchAt(rule, text, after)
  const end = findEnd(text, after)
  const isOneLine = !text.slice(after, end).includes('\n')
  if (how === '' || end < after + how.length || !isOneLine || depth === deepest)
    return {
      ...bad(at, `Invalid variable. Write \${${called}} or \${${called}:-default}.`),
      end: text.length,
    }
  const rest = interpolate(text.slice(after + how.length, end), env, budget, depth + 1)
  const inside = rest.uses.map((use) => ({ ...use, at }))
  const isGiven = value !== undefined && (value !== '' || !how.startsWith(':'))
  const use: VariableUse = { name: called, at }
  const done = { uses: [use, ...inside], end: end + 1 }
  if (how.endsWith('+')) return { ...done, text: isGiven ? rest.text : '' }
  if (isGiven) return { ...done, text: spend(value, budget), uses: [use, ...inside.map(quiet)] }
  if (how.endsWith('-')) return { ...done, text: rest.text }
  const reason = rest.text.trim()
  const wrong = `Variable ${called} must be set${reason === '' ? '' : `: ${reason.replace(/\.?$/, '')}`}.`
  return { ...done, text: '', uses: [{ ...use, wrong }] }
}

/** Variables in an unused branch need no value, unless they are marked as required. */
const quiet = ({ name: called, at, wrong }: VariableUse): VariableUse => ({
  name: called,
  at,
  ...(wrong !== undefined && { wrong }),
})

const bad = (at: number, wrong: string): Replacement => ({
  text: '',
  uses: [{ name: '', at, wrong }],
  end: at + 1,
})

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}

/** Braces inside a default count as well, as in Compose. The last brace ends a default with too many opening ones. */
function findEnd(text: string, from: number): number {
  let open = 1
  for (let index = from; index < text.length; index++) {
    if (text[index] === '}' && --open === 0) return index
    // Compose skips the character after an opening brace.
    if (text[index] === '{') {
      open++
      index++
    }
  }
  return Math.max(text.lastIndexOf('}'), from - 1)
}

function spend(value: string, budget: Budget): string {
  budget.left -= value.length
  return budget.left < 0 ? '' : value
}

/** COMPOSE_PROFILES would deploy services that nobody selected, so settings of Compose are never interpolated. */
export const isComposeSetting = (key: string) => /^COMPOSE_/i.test(key)
