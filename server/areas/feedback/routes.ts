import * as contract from '../../../contract/feedback.ts'
import { successReply, route } from '../../route.ts'
import { sendFeedback } from './feedback.ts'

export const routes = [
  route(contract.sendFeedback, async (ctx, { caller, body }) => {
    await sendFeedback(ctx, caller, body)
    return successReply
  }),
]
