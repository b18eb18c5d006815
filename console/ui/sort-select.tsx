import { ArrowUpDown } from 'lucide-react'
import { useId } from 'react'
import { classNames } from './class-names.ts'
import { controlLook } from './input.tsx'
import { readSort, sortKey } from './sort.ts'
import type { Column, TableSort } from './table.tsx'

/** Stands in for the headings on a phone. The browser's own control, which a thumb knows. */
export function SortSelect<Row>({ columns, sort }: { columns: readonly Column<Row>[]; sort: TableSort }) {
  const id = useId()
  return (
    <div className="flex items-center gap-3 border-b border-line bg-subtle px-4 py-2 sm:hidden">
      <label htmlFor={id} className="flex shrink-0 items-center gap-2 text-sm text-muted">
        <ArrowUpDown className="size-4" aria-hidden />
        Sort by
      </label>
      <select
        id={id}
        value={readSort(columns, sort.value) ? sort.value : ''}
        onChange={(event) => sort.onChange(event.target.value)}
        className={classNames(controlLook, 'h-10 px-2 text-lg')}
      >
        <option value="">Usual order</option>
        {columns.flatMap(({ head, sort: by }) => {
          const key = sortKey(head)
          return (by?.says ?? []).map((says, down) => (
            <option key={`${head} ${says}`} value={down ? `-${key}` : key}>
              {head}, {says}
            </option>
          ))
        })}
      </select>
    </div>
  )
}
