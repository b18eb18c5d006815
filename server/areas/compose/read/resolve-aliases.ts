import { type Alias, type Document, isAlias, isCollection, isPair, type Node } from 'yaml'
import type { Mark } from '../check/finding.ts'

/** Limits the size after expansion, against hostile files. */
const maxNodes = 100_000

export type Targets = ReadonlyMap<Alias, Node>

/**
 * Resolves all aliases in one pass, because the library's lookup scans the document for each. Counts the expanded size
 * without expanding.
 */
export function resolveAliases(document: Document): { targets: Targets; marks: Mark[] } {
  const anchors = new Map<string, Node>()
  const targets = new Map<Alias, Node>()
  const sizes = new Map<Node, number>()
  const open = new Set<Node>()
  const marks: Mark[] = []

  const sizeOf = (node: unknown): number => {
    if (isPair(node)) return sizeOf(node.key) + sizeOf(node.value)
    if (isAlias(node)) return sizeOfAlias(node)
    if (!isCollection(node)) {
      keep(node)
      return 1
    }
    keep(node)
    open.add(node)
    const size = node.items.reduce<number>((sum, item) => sum + sizeOf(item), 1)
    open.delete(node)
    sizes.set(node, size)
    return size
  }
  const keep = (node: unknown) => {
    if (isAnchored(node)) anchors.set(node.anchor, node)
  }
  const sizeOfAlias = (alias: Alias): number => {
    const target = anchors.get(alias.source)
    if (!target) marks.push(markOf(alias, `The anchor &${alias.source} is not defined above.`))
    else if (open.has(target)) marks.push(markOf(alias, `The alias *${alias.source} contains itself.`))
    else targets.set(alias, target)
    return target ? (sizes.get(target) ?? 1) : 1
  }

  const size = sizeOf(document.contents)
  if (size > maxNodes)
    marks.push({
      from: 0,
      to: 1,
      severity: 'error',
      message: 'The file is too large: its aliases expand to more than 100,000 values.',
    })
  return { targets, marks }
}

const isAnchored = (node: unknown): node is Node & { anchor: string } =>
  typeof node === 'object' && node !== null && 'anchor' in node && typeof node.anchor === 'string'

const markOf = ({ range }: Alias, message: string): Mark => ({
  from: range?.[0] ?? 0,
  to: range?.[1] ?? 1,
  severity: 'error',
  message,
})
