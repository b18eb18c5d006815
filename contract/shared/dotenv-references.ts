const opening = /\$(?:\$|(?<plain>[A-Za-z_]\w*)|\{(?<braced>[A-Za-z_]\w*)(?:(?<rule>:?[-+?])|(?=\})))/g
const deepest = 10

interface Replaced {
  value: string
  replaced: string[]
}

/**
 * Replaces references to earlier variables of the text, and two dollar signs with one. Unlike Docker Compose, it leaves
 * a reference to another variable unless the reference has a default.
 */
export function replaceReferences(
  text: string,
  values: ReadonlyMap<string, string>,
  budget: { left: number },
  depth = 0,
): Replaced {
  const parts: string[] = []
  const replaced: string[] = []
  let from = 0
  for (const match of text.matchAll(opening)) {
    const { plain, braced, rule = '' } = match.groups ?? {}
    const inside = match.index + match[0].length
    if (match.index < from || budget.left < 0) continue
    const end = braced === undefined ? inside : findEnd(text, inside, budget) + 1
    const reference = text.slice(match.index, end)
    const other = () => replaceReferences(text.slice(inside, end - 1), values, budget, depth + 1).value
    const isTooDeep = end === 0 || depth === deepest
    const result =
      match[0] === '$$'
        ? '$'
        : isTooDeep
          ? undefined
          : resolve(values.get(plain ?? braced ?? ''), rule, other)
    if (result === undefined) continue
    budget.left -= result.length
    parts.push(text.slice(from, match.index), result)
    replaced.push(reference)
    from = end
  }
  return { value: parts.join('') + text.slice(from), replaced }
}

function resolve(known: string | undefined, rule: string, other: () => string): string | undefined {
  const isSet = known !== undefined && (known !== '' || !rule.startsWith(':'))
  if (rule.endsWith('+')) return isSet ? other() : ''
  if (rule.endsWith('-')) return isSet ? known : other()
  return isSet ? known : undefined
}

function findEnd(text: string, from: number, budget: { left: number }): number {
  let open = 1
  for (let at = from; at < text.length && budget.left >= 0; at++) {
    budget.left--
    if (text[at] === '{') open++
    else if (text[at] === '}' && --open === 0) return at
  }
  return -1
}
