import { Eye, EyeOff } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { useState } from 'react'
import { useReadVariables, type Variable, type VariableList } from '../../../lib/form/variable-list.ts'
import { byText } from '../../../ui/table/sort.ts'
import type { Column } from '../../../ui/table/table.tsx'

interface MaskedValueProps {
  name: string
  value: string | undefined
  /** `onToggle` is undefined for users who may not see the value. */
  onToggle?: (() => void) | undefined
}

export function MaskedValue({ name, value, onToggle }: MaskedValueProps) {
  const shown = value !== undefined
  const Icon = shown ? EyeOff : Eye
  return (
    <span className="flex min-w-0 items-center gap-1 py-1 max-sm:justify-end">
      {shown ? (
        <span className="min-w-0 font-mono wrap-anywhere whitespace-pre-wrap" dir="ltr">
          {value === '' ? <span className="text-muted">Empty</span> : value}
        </span>
      ) : (
        <span className="font-mono text-muted">
          <span aria-hidden>••••••••</span>
          <span className="sr-only">Hidden</span>
        </span>
      )}
      {onToggle && (
        <Button
          variant="ghost"
          size="small"
          icon
          aria-label={shown ? `Hide the value of ${name}` : `Show the value of ${name}`}
          onClick={onToggle}
        >
          <Icon aria-hidden />
        </Button>
      )}
      {shown && value !== '' && <CopyButton text={value} label={`Copy the value of ${name}`} />}
    </span>
  )
}

/** Loads values on demand and drops them when the user hides the last one. */
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
    toggle: (id: string) =>
      show(shown.has(id) ? [...shown].filter((shownId) => shownId !== id) : [...shown, id]),
    /** A value that changed after it was read is hidden again. */
    valueOf: ({ id, updated_at: at }: Variable): string | undefined =>
      shown.has(id)
        ? (read.data?.find((variable) => variable.id === id && variable.updated_at === at)?.value ??
          undefined)
        : undefined,
    all: read.data?.map(({ key, value }) => ({ key, value: value ?? '' })),
  }
}

export const nameColumn = {
  head: 'Name',
  cell: ({ key }) => (
    <span className="font-mono text-sm wrap-anywhere" dir="ltr">
      {key}
    </span>
  ),
  sort: byText(({ key }) => key),
} satisfies Column<{ key: string }>
