import type { Pair } from '../../../../contract/shared/entries.ts'

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
