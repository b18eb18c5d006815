import { type Pair, readPairs, writePairs } from '../../../../contract/shared/entries.ts'

export interface VariableChange {
  key: string
  kind: 'added' | 'changed' | 'removed'
}

/** Compares variables by key. Values may be secret and are not part of the result. */
export function diffVariables(before: readonly Pair[], after: readonly Pair[]): VariableChange[] {
  const [old, now] = [valuesOf(before), valuesOf(after)]
  const kept = [...now].flatMap(([key, value]): VariableChange[] => {
    if (!old.has(key)) return [{ key, kind: 'added' }]
    return old.get(key) === value ? [] : [{ key, kind: 'changed' }]
  })
  const removed = [...old.keys()].filter((key) => !now.has(key))
  return [...kept, ...removed.map((key): VariableChange => ({ key, kind: 'removed' }))]
}

const valuesOf = (pairs: readonly Pair[]) => new Map(pairs.map(({ key, value }) => [key, value]))

/** Whether a line can hold the pair: no line break and no surrounding spaces. */
export function fitsLine(pair: Pair): boolean {
  const [read, ...more] = readPairs(writePairs([pair]))
  return more.length === 0 && read?.key === pair.key && read.value === pair.value
}
