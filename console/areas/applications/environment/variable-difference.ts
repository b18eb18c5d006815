import { type Pair, readPairs, writePairs } from '../../../../contract/shared/entries.ts'

export interface Difference {
  key: string
  kind: 'added' | 'changed' | 'removed'
}

/** What happens to which variable. Their values may be secrets, and are never told. */
export function differenceOf(before: readonly Pair[], after: readonly Pair[]): Difference[] {
  const [old, now] = [valuesOf(before), valuesOf(after)]
  const kept = [...now].flatMap(([key, value]): Difference[] => {
    if (!old.has(key)) return [{ key, kind: 'added' }]
    return old.get(key) === value ? [] : [{ key, kind: 'changed' }]
  })
  const removed = [...old.keys()].filter((key) => !now.has(key))
  return [...kept, ...removed.map((key): Difference => ({ key, kind: 'removed' }))]
}

const valuesOf = (pairs: readonly Pair[]) => new Map(pairs.map(({ key, value }) => [key, value]))

/** Whether it can stand in a line: not with a line break in it, nor with spaces at its ends, which a line loses. */
export function fitsLine(pair: Pair): boolean {
  const [read, ...more] = readPairs(writePairs([pair]))
  return more.length === 0 && read?.key === pair.key && read.value === pair.value
}
