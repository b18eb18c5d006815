import { useState } from 'react'
import { useReadVariables, type Variable, type VariableList } from '../../../lib/form/variable-list.ts'

/** Loads values on demand and drops them when the last one is hidden. */
export function useRevealed(list: Pick<VariableList, 'read'>) {
  const read = useReadVariables(list)
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set())

  function show(ids: readonly string[]) {
    const after = new Set(ids)
    const asks = ids.some((id) => !shown.has(id))
    setShown(after)
    if (after.size === 0) read.reset()
    else if (asks) read.mutate()
  }

  return {
    asking: read.isPending,
    any: shown.size > 0,
    show,
    toggle: (id: string) => show(shown.has(id) ? [...shown].filter((one) => one !== id) : [...shown, id]),
    /** A value that changed after it was read is hidden again. */
    valueOf: ({ id, updated_at: at }: Variable): string | undefined =>
      shown.has(id)
        ? (read.data?.find((variable) => variable.id === id && variable.updated_at === at)?.value ??
          undefined)
        : undefined,
    all: read.data?.map(({ key, value }) => ({ key, value: value ?? '' })),
  }
}
