import type { Order } from './use-order.ts'

/** One thing to be chosen, which is a field of a form. */
export interface OrderPart {
  order: Order
  name: string
  error: string | undefined
}
