import type { Order } from './use-order.ts'

export interface OrderFieldProps {
  order: Order
  name: string
  error: string | undefined
}
