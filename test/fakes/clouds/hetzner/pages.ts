import type { Answer, Call } from '../answer.ts'
import { invalid } from './errors.ts'

/** One page of a list: 25 unless asked for others, and never more than 50. */
export function page<T>({ url, state }: Call, key: string, all: T[], show: (one: T) => object): Answer {
  const number = (name: string, otherwise: number) => {
    const given = url.searchParams.get(name) ?? String(otherwise)
    if (!/^[1-9]\d{0,8}$/.test(given)) throw invalid(name, 'must be a positive number')
    return Number(given)
  }
  const per_page = Math.min(number('per_page', 25), 50, state.mostPerPage)
  const at = number('page', 1)
  const last = Math.max(1, Math.ceil(all.length / per_page))
  const pagination = {
    page: at,
    per_page,
    previous_page: at > 1 ? at - 1 : null,
    next_page: at < last ? at + 1 : null,
    last_page: last,
    total_entries: all.length,
  }
  const shown = all.slice((at - 1) * per_page, at * per_page).map(show)
  return { status: 200, body: { [key]: shown, meta: { pagination } } }
}

/** Lists are filtered by exactly this name, where one is asked for. */
export function named<T extends { name: string | null }>({ url }: Call, all: T[]): T[] {
  const name = url.searchParams.get('name')
  return name === null ? all : all.filter((one) => one.name === name)
}

/** As it writes times. */
export const time = (date: Date) => `${date.toISOString().slice(0, 19)}+00:00`
