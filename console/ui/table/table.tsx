import { type KeyboardEvent, type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import { AddressContent } from '../../lib/address.tsx'
import { classNames } from '../class-names.ts'
import { Skeleton } from '../skeleton.tsx'
import { type SortBy, readSort, sortRows, sortKey } from './sort.ts'
import { notPhoneClasses, TableHead, wideOrPhoneClasses } from './table-head.tsx'
import { ArrowUpDown } from 'lucide-react'
import { controlClasses } from '../form/input.tsx'

/** Place of a cell in the two lines of a row on phones. The first column is always at the start of the first line. */
type PhonePlace = 'first-end' | 'second' | 'second-end'

export interface Column<Row> {
  head: string
  cell: (row: Row) => ReactNode
  /** Second line of the first column. It is outside the link of the row, so that it can contain links. */
  below?: (row: Row) => ReactNode
  align?: 'right'
  narrow?: boolean
  /** Hides the column on medium screens, which have the least space for columns. */
  roomy?: boolean
  desk?: boolean
  /** Hides the head of the column on phones. */
  bare?: boolean
  /** Shows the cell in one of the two lines of a row on phones, without its head. */
  phone?: PhonePlace
  sort?: SortBy<Row>
}

export interface TableSort {
  value: string
  onChange: (value: string) => void
  /** Whether more rows are loading. Sorting waits for all of them. */
  partial?: boolean
}

export interface TableProps<Row> {
  label: string
  columns: readonly [Column<Row>, ...Column<Row>[]]
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string
  href?: (row: Row) => string
  linkState?: unknown
  actions?: (row: Row) => ReactNode
  skeletonRows?: number
  sort?: TableSort
  most?: number
}

export function Table<Row>({
  label,
  columns,
  rows,
  rowKey,
  href,
  linkState,
  actions,
  skeletonRows = 5,
  sort,
  most,
}: TableProps<Row>) {
  const sorted = sort && readSort(columns, sort.value)
  const waiting = !rows || (sorted !== undefined && sort?.partial === true)
  const shown = (sorted && !waiting ? sortRows(rows, sorted) : rows)?.slice(0, most)
  const rowClasses = rowClassesOf(columns)
  return (
    <>
      {sort && rows?.length !== 1 && <SortSelect columns={columns} sort={sort} />}
      <table aria-label={label} aria-busy={waiting} className="w-full text-sm max-sm:block">
        <TableHead columns={columns} sort={sort} actions={actions !== undefined} />
        <tbody className="divide-y divide-line max-sm:block">
          {shown?.map((row) => (
            <tr
              key={rowKey(row)}
              className={classNames(rowClasses, href && 'hover:bg-hover active:bg-pressed')}
            >
              {columns.map((column, index) => (
                <td
                  key={column.head}
                  data-head={column.head}
                  className={classNames(
                    cellClasses(column, index === 0),
                    phoneClasses(columns, index, actions !== undefined),
                  )}
                >
                  {index === 0 && href ? (
                    <>
                      <Link
                        to={href(row)}
                        state={linkState}
                        data-row-link
                        onKeyDown={moveBetweenRows}
                        className="font-medium outline-none max-sm:min-w-0 max-sm:flex-1 after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent-ink"
                      >
                        <AddressContent>{column.cell(row)}</AddressContent>
                      </Link>
                      {column.below?.(row)}
                    </>
                  ) : (
                    <AddressContent>{column.cell(row)}</AddressContent>
                  )}
                </td>
              ))}
              {actions && (
                <td className="w-px px-2 text-right sm:relative max-sm:absolute max-sm:top-2 max-sm:right-0 max-sm:w-auto">
                  {actions(row)}
                </td>
              )}
            </tr>
          )) ??
            Array.from({ length: skeletonRows }, (_, row) => (
              <SkeletonRow key={row} columns={columns} className={rowClasses} />
            ))}
        </tbody>
      </table>
    </>
  )
}

const rowClassesOf = (columns: readonly Pick<Column<never>, 'phone'>[]) =>
  classNames(
    'relative max-sm:gap-1 max-sm:py-3',
    columns.some(({ phone }) => phone)
      ? 'max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_auto_auto] max-sm:gap-x-3'
      : 'max-sm:flex max-sm:flex-col',
    'has-checked:bg-accent-soft has-[input:enabled:not(:checked)]:hover:bg-hover',
  )

/**
 * Returns the classes of a cell on phones. The actions are at the end of the first line. The end of the first line takes
 * two of the three grid columns and the end of the second line one, so that a wide first line does not narrow the second.
 */
function phoneClasses(columns: readonly Pick<Column<never>, 'phone'>[], index: number, actions: boolean) {
  const has = (place: PhonePlace) => columns.some(({ phone }) => phone === place)
  const place = index === 0 ? 'first' : columns[index]?.phone
  const afterwards = place === 'first' ? has('first-end') : place === 'second' && has('second-end')
  const isLastOfLine = place === 'first' ? !afterwards : place === 'first-end'
  return classNames(
    place === 'first-end' || place === 'second-end'
      ? 'max-sm:self-start max-sm:justify-self-end max-sm:pl-0 max-sm:text-right max-sm:text-muted'
      : afterwards
        ? 'max-sm:min-w-0 max-sm:pr-0'
        : 'max-sm:col-span-full',
    place === 'first' && afterwards && 'max-sm:col-start-1',
    place === 'first-end' && 'max-sm:col-span-2 max-sm:col-start-2',
    place === 'second' && afterwards && 'max-sm:col-span-2 max-sm:col-start-1',
    place === 'second-end' && 'max-sm:col-start-3',
    place?.startsWith('first') === true && has('first-end') && 'max-sm:row-start-1',
    place?.startsWith('second') === true && 'max-sm:row-start-2',
    actions && isLastOfLine && 'max-sm:pr-12',
  )
}

function cellClasses<Row>(column: Column<Row>, first: boolean) {
  return classNames(
    'h-10 px-4 max-sm:empty:hidden max-sm:h-auto max-sm:items-center max-sm:justify-between max-sm:gap-4',
    !column.desk && 'max-sm:flex',
    first && 'font-medium wrap-anywhere max-sm:text-base',
    !first &&
      !column.bare &&
      !column.phone &&
      'max-sm:text-right max-sm:before:shrink-0 max-sm:before:text-muted max-sm:before:content-[attr(data-head)]',
    column.align === 'right' && 'tabular-nums sm:text-right',
    column.roomy && wideOrPhoneClasses,
    column.desk && notPhoneClasses,
  )
}

function SkeletonRow<Row>({ columns, className }: { columns: readonly Column<Row>[]; className: string }) {
  return (
    <tr className={className}>
      {columns.map((column, index) => (
        <td
          key={column.head}
          className={classNames(
            'h-10 px-4 max-sm:h-6',
            phoneClasses(columns, index, false),
            column.roomy && wideOrPhoneClasses,
            column.desk && notPhoneClasses,
          )}
        >
          <Skeleton className={index === 0 ? 'h-3.5 w-40' : 'h-3.5 w-20'} />
        </td>
      ))}
    </tr>
  )
}

function moveBetweenRows(event: KeyboardEvent<HTMLElement>) {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  const body = event.currentTarget.closest('tbody')
  const links = [...(body?.querySelectorAll<HTMLElement>('[data-row-link]') ?? [])]
  const at = links.findIndex((link) => link === document.activeElement)
  const next = step === 0 || at === -1 ? undefined : links[at + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}

function SortSelect<Row>({ columns, sort }: { columns: readonly Column<Row>[]; sort: TableSort }) {
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
        className={classNames(controlClasses, 'h-10 px-2 text-lg')}
      >
        <option value="">Default</option>
        {columns.flatMap(({ head, sort: by }) => {
          const key = sortKey(head)
          return (by?.labels ?? []).map((label, down) => (
            <option key={`${head} ${label}`} value={down ? `-${key}` : key}>
              {head}, {label}
            </option>
          ))
        })}
      </select>
    </div>
  )
}
