import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import { classNames } from '../class-names.ts'
import { nextSort, sortKey } from './sort.ts'
import type { Column, TableSort } from './table.tsx'

interface HeadProps<Row> {
  columns: readonly Column<Row>[]
  sort: TableSort | undefined
  actions: boolean
}

export function TableHead<Row>({ columns, sort, actions }: HeadProps<Row>) {
  return (
    <thead className="max-sm:sr-only">
      <tr className="border-b border-line bg-subtle">
        {columns.map((column) => (
          <Head key={column.head} column={column} sort={column.sort && sort} />
        ))}
        {actions && (
          <th scope="col" className="w-px">
            <span className="sr-only">Actions</span>
          </th>
        )}
      </tr>
    </thead>
  )
}

function Head<Row>({ column, sort }: { column: Column<Row>; sort: TableSort | undefined }) {
  const { head, align, narrow, roomy, desk } = column
  const key = sortKey(head)
  const order = sort?.value === key ? 'ascending' : sort?.value === `-${key}` ? 'descending' : 'none'
  return (
    <th
      scope="col"
      {...(sort ? { 'aria-sort': order } : {})}
      className={classNames(
        'h-8 px-4 text-left text-xs font-medium whitespace-nowrap text-muted',
        align === 'right' && 'text-right',
        narrow && 'w-px',
        roomy && wideOrPhoneClasses,
        desk && notPhoneClasses,
      )}
    >
      {/* Phones sort with the select above the list, and hidden buttons must not be focusable. */}
      <span className={sort && 'sm:hidden'}>{head}</span>
      {sort && (
        <button
          type="button"
          onClick={() => sort.onChange(nextSort(sort.value, key))}
          className={classNames(
            sortButtonClasses,
            order !== 'none' && 'text-ink',
            align === 'right' && 'flex-row-reverse',
          )}
        >
          {head}
          <Arrow order={order} />
        </button>
      )}
    </th>
  )
}

function Arrow({ order }: { order: 'ascending' | 'descending' | 'none' }) {
  if (order === 'ascending') return <ArrowUp aria-hidden />
  if (order === 'descending') return <ArrowDown aria-hidden />
  return (
    <ChevronsUpDown
      className="opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100"
      aria-hidden
    />
  )
}

const sortButtonClasses = classNames(
  'group -mx-1.5 inline-flex h-6 items-center gap-1 rounded-sm px-1.5 font-medium -outline-offset-2 max-sm:hidden',
  'hover:bg-hover hover:text-ink active:bg-pressed',
  '[&_svg]:size-3.5 [&_svg]:shrink-0',
)

export const wideOrPhoneClasses = 'sm:max-[1279px]:hidden'

export const notPhoneClasses = 'max-sm:hidden'
