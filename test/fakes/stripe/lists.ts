import { type Call, missingParam, refuse } from './answer.ts'
import { list } from './show.ts'

interface Paging {
  limit?: number | undefined
  starting_after?: string | undefined
  ending_before?: string | undefined
  created?: number | Partial<Record<'gt' | 'gte' | 'lt' | 'lte', number | undefined>> | undefined
}

/** A page of what there is, newest first, at most a hundred. */
export function pageOfList<T extends { id: string; created: number }>(
  { path }: Call,
  all: T[],
  given: Paging,
  show: (one: T) => object,
): object {
  const { limit = 10, starting_after, ending_before, created } = given
  if (limit < 1)
    throw refuse('This value must be greater than or equal to 1.', 'limit', 'parameter_invalid_integer')
  if (limit > 100)
    throw refuse('This value must be less than or equal to 100.', 'limit', 'parameter_invalid_integer')
  const fitting = all.filter((one) => isWithin(one.created, created)).toReversed()
  const at = (id: string, param: string) => {
    const index = fitting.findIndex((one) => one.id === id)
    if (index < 0) throw missingParam('object', id, param)
    return index
  }
  if (ending_before !== undefined) {
    const before = fitting.slice(0, at(ending_before, 'ending_before'))
    return list(path, before.slice(-limit).map(show), before.length > limit)
  }
  const from = starting_after === undefined ? 0 : at(starting_after, 'starting_after') + 1
  const page = fitting.slice(from, from + limit)
  return list(path, page.map(show), from + limit < fitting.length)
}

function isWithin(value: number, range: Paging['created']): boolean {
  if (range === undefined) return true
  if (typeof range === 'number') return value === range
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = range
  return value > gt && value >= gte && value < lt && value <= lte
}
