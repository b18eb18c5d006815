import * as contract from '../../../contract/notifications.ts'
import { successReply, route } from '../../route.ts'
import { createNotification } from './create-notification.ts'
import { listChannelTypes } from './list-types.ts'
import { listMessages, resendMessage } from './message.ts'
import { deleteNotification, listNotifications, showNotification } from './notification.ts'
import { resumeNotification } from './resume.ts'
import { testNotification } from './test-channel.ts'
import { updateNotification } from './update-notification.ts'

export const routes = [
  route(contract.listNotificationTypes, async (ctx) => listChannelTypes(ctx)),
  route(contract.listNotifications, (ctx, { caller, query }) => listNotifications(ctx, caller, query)),
  route(contract.createNotification, (ctx, { caller, body }) => createNotification(ctx, caller, body)),
  route(contract.getNotification, (ctx, { caller, params }) =>
    showNotification(ctx, ctx.db, caller, params.id),
  ),
  route(contract.updateNotification, (ctx, { caller, params, body }) =>
    updateNotification(ctx, caller, params.id, body),
  ),
  route(contract.deleteNotification, async (ctx, { caller, params }) => {
    await deleteNotification(ctx, caller, params.id)
    return successReply
  }),
  route(contract.testNotification, (ctx, { caller, params, signal }) =>
    testNotification(ctx, caller, params.id, signal),
  ),
  route(contract.resumeNotification, (ctx, { caller, params }) => resumeNotification(ctx, caller, params.id)),
  route(contract.listMessages, (ctx, { caller, params, query }) =>
    listMessages(ctx, caller, params.id, query),
  ),
  route(contract.resendMessage, async (ctx, { caller, params }) => ({
    message: await resendMessage(ctx, caller, params.id, params.mid),
  })),
]
