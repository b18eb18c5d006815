import { z } from 'zod'
import { type Call, pageOfList } from './answer.ts'
import { checkExpand, expandAll } from './expand.ts'
import { expand, type Form, paging, readParams } from './params.ts'
import type { State } from './state.ts'

export interface Route {
  method: string
  /** A name after a colon takes one part: /v1/customers/:id. */
  path: string
  /** Reads the parameters, which may be refused, and returns what is to be done. */
  prepare: (call: Call, given: { [name: string]: Form }) => () => unknown
}

/** Parameters of a call that takes none of its own. */
export const one = z.strictObject({ expand })

/** `of` is the kind of object that is returned, alone or in a list. */
export function route<T extends z.ZodType<{ expand?: string[] | undefined }>>(
  where: string,
  of: string,
  params: T,
  answer: (call: Call, given: z.output<T>) => object,
): Route {
  const [method = '', path = ''] = where.split(' ')
  return {
    method,
    path,
    prepare(call, raw) {
      const given = readParams(params, raw)
      const paths = given.expand ?? []
      checkExpand(of, paths)
      return () => expandAll(call.state, of, paths, answer(call, given))
    },
  }
}

/** A list that is filtered by those of its parameters that were given: by a field of that name, or as `fits` says. */
export function listRoute<T extends { id: string; created: number }>(
  path: string,
  of: string,
  filters: z.ZodRawShape,
  all: (state: State, given: Record<string, unknown>) => T[],
  show: (one: T, state: State) => object,
  fits: (one: T, name: string, value: unknown, state: State) => boolean = (one, name, value) =>
    Reflect.get(one, name) === value,
): Route {
  const params = z.strictObject({ ...paging, ...z.object(filters).shape })
  return route(`GET ${path}`, `list ${of}`, params, (call, given) => {
    const { state } = call
    const wanted = Object.entries(given).filter(([name, value]) => name in filters && value !== undefined)
    const found = all(state, given).filter((item) =>
      wanted.every(([name, value]) => fits(item, name, value, state)),
    )
    return pageOfList(call, found, given, (item) => show(item, state))
  })
}
