import { hetznerError, invalid } from './errors.ts'

const word = /^([a-z0-9A-Z]([a-z0-9A-Z._-]{0,61}[a-z0-9A-Z])?)?$/
const subdomain = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/

export function readLabels(given: unknown): Record<string, string> {
  if (given === undefined) return {}
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw invalid('labels', 'must be an object')
  const labels: Record<string, string> = {}
  for (const [key, value] of Object.entries(given)) {
    if (!isKey(key)) throw invalid('labels', `invalid label key '${key}'`)
    if (typeof value !== 'string' || !word.test(value))
      throw invalid('labels', `invalid label value for '${key}'`)
    labels[key] = value
  }
  return labels
}

function isKey(key: string): boolean {
  const [name = '', prefix, more] = key.split('/').toReversed()
  if (name === '' || !word.test(name) || more !== undefined) return false
  return prefix === undefined || (subdomain.test(prefix) && prefix !== 'hetzner.cloud')
}

type Labels = Record<string, string>

/** `k==v`, `k=v`, `k!=v`, `k`, `!k`, `k in (v1,v2)`, `k notin (v1,v2)`, and several of them with commas. */
export function readSelector(selector: string): (labels: Labels) => boolean {
  const all = selector.split(/,(?![^(]*\))/).map((part) => readExpression(part.trim()))
  return (labels) => all.every((fits) => fits(labels))
}

function readExpression(part: string): (labels: Labels) => boolean {
  const list = /^(\S+) (in|notin) \(([^()]*)\)$/.exec(part)
  if (list) {
    const [, key = '', how, values = ''] = list
    const among = values.split(',').map((value) => value.trim())
    check(key, ...among)
    return (labels) => among.includes(labels[key] ?? '\n') === (how === 'in')
  }
  const equal = /^([^=!]+)(==|=|!=)([^=!]*)$/.exec(part)
  if (equal) {
    const [, key = '', how, value = ''] = equal
    check(key, value)
    return (labels) => (labels[key] === value) === (how !== '!=')
  }
  const [, not, key = ''] = /^(!?)(.*)$/.exec(part) ?? []
  check(key)
  return (labels) => key in labels === (not === '')
}

function check(key: string, ...values: string[]) {
  if (!isKey(key) || !values.every((value) => word.test(value)))
    throw hetznerError('invalid_input', "invalid input in field 'label_selector'", {
      fields: [{ name: 'label_selector', messages: ['is not a valid label selector'] }],
    })
}
