import type { Area } from '../../area.ts'
import * as contract from '../../../contract/feedback.ts'
import { successReply, route } from '../../route.ts'
import { sendFeedback } from './feedback.ts'

const routes = [
  route(contract.sendFeedback, async (ctx, { caller, body }) => {
    await sendFeedback(ctx, caller, body)
    return successReply
  }),
]

export const feedbackArea: Area = {
  name: 'feedback',
  routes,
}
