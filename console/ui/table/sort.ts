export interface SortBy<Row> {
  compare: (a: Row, b: Row) => number
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

/** Sorts names by locale. Numbers in them count, so web-2 is before web-10; missing names are last. */
export const byText = <Row>(of: (row: Row) => string | null): SortBy<Row> => ({
  compare: (a, b) => {
    const [left, right] = [of(a), of(b)]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    return collator.compare(left, right)
  },
  labels: ['A to Z', 'Z to A'],
})

export const byNumber = <Row>(of: (row: Row) => number, labels: SortBy<Row>['labels']): SortBy<Row> => ({
  // Infinity minus Infinity is NaN, so compare equal values first.
  compare: (a, b) => (of(a) === of(b) ? 0 : of(a) - of(b)),
  labels,
})

/** Sorts by time. `none` is the sort value of a missing time. */
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

/** Returns the URL parameter of a column: `last-used` for “Last used”. */
export const sortKey = (head: string) => head.toLowerCase().replaceAll(' ', '-')

/** Parses `name` or `-name`. Returns undefined for an unknown column. */
export function readSort<Row>(columns: readonly Sortable<Row>[], value: string): Sorted<Row> | undefined {
  const down = value.startsWith('-')
  const key = down ? value.slice(1) : value
  const by = columns.find(({ head }) => sortKey(head) === key)?.sort
  return by && { by, key, down }
}

export function nextSort(value: string, key: string): string {
  if (value === key) return `-${key}`
  return value === `-${key}` ? '' : key
}

/** Sorts rows. Equal rows keep their order in both directions. */
export function sortRows<Row>(rows: readonly Row[], { by, down }: Sorted<Row>): Row[] {
  return rows.toSorted((a, b) => (down ? by.compare(b, a) : by.compare(a, b)))
}
