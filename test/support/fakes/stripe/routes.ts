import { invalidRequest, noSuch } from './errors.ts'
import { list } from './schema.ts'
import type { State } from './state.ts'

/** One authorized request. */
export interface Call {
  state: State
  path: string
  /** The object id in the path. */
  id: string
}

export interface Route {
  /** The published operation: its method and path. */
  operation: string
  /** Answers with parameters of the type that the SDK declares, since the published schema has accepted them. */
  answer(call: Call, params: object): object
  /** Properties that `expand` may name. */
  expandable: string[]
}

export const route = (operation: string, answer: Route['answer'], expandable: string[] = []): Route => ({
  operation,
  answer,
  expandable,
})

interface Pagination {
  limit?: number
  starting_after?: string
}

interface Finder<T> {
  find(state: State, params: object): T[]
}

/** A route that lists the records that `find` returns, newest first. */
export const listRoute = <T extends { id: string }>(
  operation: string,
  find: Finder<T>['find'],
  present: (state: State, record: T) => object,
): Route =>
  route(operation, ({ state, path }, params: Pagination) =>
    paginate(path, find(state, params).toReversed(), params, (record) => present(state, record)),
  )

/** The records that have all of these values; an undefined value is not compared. */
export const filterBy = <T extends object>(records: T[], values: Record<string, unknown>): T[] => {
  const filters = Object.entries(values).filter(([, value]) => value !== undefined)
  return records.filter((record) => filters.every(([name, value]) => Reflect.get(record, name) === value))
}

export function paginate<T extends { id: string }>(
  path: string,
  records: T[],
  { limit = 10, starting_after }: Pagination,
  present: (record: T) => object,
) {
  if (limit < 1 || limit > 100)
    throw invalidRequest('This value must be between 1 and 100.', 'limit', 'parameter_invalid_integer')
  const cursor = records.findIndex(({ id }) => id === starting_after)
  if (starting_after !== undefined && cursor < 0)
    throw noSuch(400, 'object', starting_after, 'starting_after')
  const page = records.slice(cursor + 1, cursor + 1 + limit)
  return list(path, page.map(present), cursor + 1 + limit < records.length)
}

/** The record that the path names. */
export function getNamed<T extends { id: string }>(
  { id }: Call,
  records: T[],
  type: string,
  param = 'id',
): T {
  const found = records.find((record) => record.id === id)
  if (!found) throw noSuch(404, type, id, param)
  return found
}
