import type { Order } from './use-order.ts'

export interface OrderPart {
  order: Order
  name: string
  error: string | undefined
}
