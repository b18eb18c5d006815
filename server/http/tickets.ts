import { createStreamTicket } from '../../contract/live.ts'
import { createTicket } from '../areas/auth/ticket.ts'
import { route } from '../route.ts'

export const ticketRoute = route(createStreamTicket, (ctx, { caller, body }) =>
  createTicket(ctx, caller, body.path),
)
