import { isAlias, isCollection, isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap } from 'yaml'
import type { Finding, Mark, Path } from './finding.ts'
import type { Targets } from '../read/read-yaml.ts'
import { isMerge, keyText } from '../read/to-value.ts'

interface LocatedNode {
  key: unknown
  node: unknown
}

/** A value from an alias or merge is located where it was written. */
export class NodeLocator {
  readonly #root: Node | null
  readonly #targets: Targets
  readonly #pairs = new Map<YAMLMap, Map<string, Pair>>()

  constructor(root: Node | null, targets: Targets) {
    this.#root = root
    this.#targets = targets
  }

  markOf({ path, at, severity, message }: Finding): Mark {
    const { key, node } = this.find(path)
    const place = at === 'key' || (isCollection(node) && isScalar(key)) ? key : node
    const [from, to] = getRange(place) ?? getRange(key) ?? [0, 1]
    return { from, to, severity, message }
  }

  find(path: Path): LocatedNode {
    let located: LocatedNode = { key: undefined, node: this.#root }
    for (const step of path) {
      const next = this.#step(this.#behind(located.node), step)
      if (!next) return located
      located = { key: next.key ?? located.key, node: next.node }
    }
    return located
  }

  #step(node: unknown, step: string | number): LocatedNode | undefined {
    if (isSeq(node)) {
      const item = node.items[Number(step)]
      return item === undefined ? undefined : { key: item, node: item }
    }
    const pair = isMap(node) ? this.#pairOf(node, String(step)) : undefined
    return pair && { key: pair.key, node: pair.value }
  }

  #pairOf(map: YAMLMap, key: string): Pair | undefined {
    const pairs = this.#pairs.get(map) ?? this.#listPairs(map)
    this.#pairs.set(map, pairs)
    return pairs.get(key)
  }

  #listPairs(map: YAMLMap): Map<string, Pair> {
    const pairs = new Map<string, Pair>()
    for (const pair of map.items) if (isScalar(pair.key) && !isMerge(pair)) pairs.set(keyText(pair.key), pair)
    for (const { value } of map.items.filter(isMerge))
      for (const merged of this.#merged(value))
        for (const [key, pair] of this.#listPairs(merged)) if (!pairs.has(key)) pairs.set(key, pair)
    return pairs
  }

  #merged(value: unknown): YAMLMap[] {
    const node = this.#behind(value)
    if (isMap(node)) return [node]
    return isSeq(node) ? node.items.flatMap((item) => this.#merged(item)) : []
  }

  #behind(node: unknown): unknown {
    return isAlias(node) ? this.#targets.get(node) : node
  }
}

function getRange(node: unknown): [number, number] | undefined {
  const range = isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range : undefined
  return range && range[1] > range[0] ? [range[0], range[1]] : undefined
}
