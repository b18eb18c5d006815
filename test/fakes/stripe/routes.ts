import type { z } from 'zod'
import type { Call } from './answer.ts'
import { checkExpand, expandAll } from './expand.ts'
import type { Form } from './form.ts'
import { readParams } from './params.ts'

export interface Route {
  method: 'GET' | 'POST' | 'DELETE'
  /** A name after a colon takes one part: /v1/customers/:id. */
  path: string
  /** Reads what was given, which may be refused, and gives what is to be done. */
  prepare: (call: Call, given: { [name: string]: Form }) => () => unknown
}

/** `of` is the kind of thing that it answers with, alone or in a list. */
export function route<T extends z.ZodType<{ expand?: string[] | undefined }>>(
  [method, path, of]: [method: Route['method'], path: string, of: string],
  params: T,
  answer: (call: Call, given: z.output<T>) => object,
): Route {
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
