/** How the rows of a table compare by one of its columns. */
export interface SortBy<Row> {
  compare: (a: Row, b: Row) => number
  /** What comes first, in either direction: "A to Z". */
  labels: readonly [up: string, down: string]
}

export interface Sorted<Row> {
  by: SortBy<Row>
  key: string
  down: boolean
}

interface Sortable<Row> {
  head: string
  sort?: SortBy<Row>
}

const collator = new Intl.Collator(undefined, { numeric: true })

/** As people sort names where they live; web-2 stands before web-10, and what has none comes last. */
export const byText = <Row>(of: (row: Row) => string | null): SortBy<Row> => ({
  compare: (a, b) => {
    const [left, right] = [of(a), of(b)]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    return collator.compare(left, right)
  },
  labels: ['A to Z', 'Z to A'],
})

export const byNumber = <Row>(of: (row: Row) => number, labels: SortBy<Row>['labels']): SortBy<Row> => ({
  // Two infinities are equal, though their difference is not zero.
  compare: (a, b) => (of(a) === of(b) ? 0 : of(a) - of(b)),
  labels,
})

/** `none` is what no time at all counts as: the end of days, or before everything. */
export const byTime = <Row>(
  of: (row: Row) => string | null,
  {
    none = Infinity,
    labels = ['oldest first', 'newest first'],
  }: Partial<Pick<SortBy<Row>, 'labels'>> & {
    none?: number
  } = {},
): SortBy<Row> =>
  byNumber((row) => {
    const time = of(row)
    return time === null ? none : Date.parse(time)
  }, labels)

/** In an address: "Last used" is `last-used`. */
export const sortKey = (head: string) => head.toLowerCase().replaceAll(' ', '-')

/** What `name` or `-name` in an address asks for; undefined for a column that is not there. */
export function readSort<Row>(columns: readonly Sortable<Row>[], value: string): Sorted<Row> | undefined {
  const down = value.startsWith('-')
  const key = down ? value.slice(1) : value
  const by = columns.find(({ head }) => sortKey(head) === key)?.sort
  return by && { by, key, down }
}

/** Upwards, then downwards, then in the list's own order again. */
export function nextSort(value: string, key: string): string {
  if (value === key) return `-${key}`
  return value === `-${key}` ? '' : key
}

/** Equal rows keep the order they came in, in both directions. */
export function sortRows<Row>(rows: readonly Row[], { by, down }: Sorted<Row>): Row[] {
  return rows.toSorted((a, b) => (down ? by.compare(b, a) : by.compare(a, b)))
}
