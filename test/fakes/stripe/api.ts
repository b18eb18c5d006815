import { catalogueRoutes } from './catalogue-calls.ts'
import { customerRoutes } from './customer-calls.ts'
import { eventRoutes } from './event-calls.ts'
import { invoiceRoutes } from './invoice-calls.ts'
import { paymentRoutes } from './payment-calls.ts'
import { portalRoutes } from './portal-calls.ts'
import type { Route } from './routes.ts'
import { sessionRoutes } from './session-calls.ts'
import { subscriptionRoutes } from './subscription-calls.ts'

/** Every call that there is; nothing else is known. */
export const apiRoutes: Route[] = [
  ...customerRoutes,
  ...catalogueRoutes,
  ...sessionRoutes,
  ...subscriptionRoutes,
  ...invoiceRoutes,
  ...paymentRoutes,
  ...portalRoutes,
  ...eventRoutes,
]
