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
