import { readYaml } from './read-yaml.ts'
import { resolveAliases } from './resolve-aliases.ts'
import { toValue } from './to-value.ts'

/** Keeps variables as written; undefined when invalid. */
export function readUninterpolated(text: string): unknown {
  const { document, marks } = readYaml(text)
  if (!document || marks.length > 0) return undefined
  const { targets, marks: endless } = resolveAliases(document)
  return endless.length > 0 ? undefined : toValue(document.contents, text, targets, null).value
}
