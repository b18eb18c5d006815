import type { z } from 'zod'
import type { sendFeedback as endpoint } from '../../../contract/feedback.ts'
import type { Context } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { removeLinks, toMailSafeName } from '../../platform/text/plain-text.ts'
import { transaction } from '../../platform/transaction.ts'
import type { User } from '../../route.ts'
import { sendMail } from '../auth/mails.ts'
import { type FeedbackRow, insertFeedback } from './store.ts'

export { listFeedback } from './store.ts'

/** Stores the feedback, because email may fail or OPERATOR_EMAIL may be missing. */
export async function sendFeedback(
  ctx: Context,
  { user, workspace }: User,
  given: z.output<(typeof endpoint)['body']>,
): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    const row = await insertFeedback(trx, {
      ...given,
      id: newId('feedback'),
      workspace_id: workspace?.id ?? null,
      user_id: user.id,
      email: user.email,
    })
    const to = ctx.config.OPERATOR_EMAIL
    if (to === undefined) return
    await sendMail(ctx, trx, {
      to,
      subject: `Feedback (${row.kind}) from ${toMailSafeName(user.name, 'a user')} · Slipway`,
      text: `${formatFeedback(row)}\n\n${ctx.config.PUBLIC_URL}${pathIn(row.page)}\n`,
      replyTo: user.email,
    })
  })
}

export const formatFeedback = ({ created_at: at, kind, email, page, message }: FeedbackRow) =>
  `${at.toISOString()}  ${kind}  ${email}${page && `  on ${removeLinks(plain(page))}`}\n${indented(message)}`

const plain = (text: string) => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
const indented = (text: string) =>
  text
    .split('\n')
    .map((line) => `  ${plain(line)}`)
    .join('\n')

/** Accepts only paths of the console, because the browser sends the page. */
const pathIn = (page: string) => (/^\/[\w/.?=&%-]*$/.test(page) && !page.startsWith('//') ? page : '')
