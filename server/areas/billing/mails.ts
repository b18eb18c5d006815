import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { EmailMessage } from '../../platform/mailer.ts'
import { toMailSafeName } from '../../platform/text/plain-text.ts'
import type { Trx } from '../../tables.ts'
import { type MailRecipient, composeMail, sendMail } from '../auth/mails.ts'
import { billingUrl, choosePlanUrl, workspaceUrl } from '../workspaces/plan.ts'
import { graceEndsAt } from '../workspaces/subscription-status.ts'
import { findBilledWorkspace, listOwners, type SubscriptionRow } from './store.ts'
import { formatDay } from './billing-events.ts'

export async function mailOwners(
  ctx: Context,
  trx: Trx,
  workspaceId: Id<'workspace'>,
  mail: (to: MailRecipient, workspace: MailWorkspace) => EmailMessage,
): Promise<void> {
  const workspace = await findBilledWorkspace(trx, workspaceId)
  if (!ctx.mail || !workspace) return
  for (const owner of await listOwners(trx, workspaceId))
    await sendMail(
      ctx,
      trx,
      mail(
        { ...owner, name: toMailSafeName(owner.name) },
        { id: workspaceId, name: toMailSafeName(workspace.name) },
      ),
    )
}

export interface MailWorkspace {
  id: Id<'workspace'>
  name: string
}

const keepRunning = 'Deployed applications keep running.'

export const trialEndingMail = (ctx: Context, to: MailRecipient, { id, name }: MailWorkspace, ends: Date) =>
  composeMail(to.email, `The trial of ${name} ends soon`, {
    text: `Hello ${to.name}, the trial of the workspace ${name} ends on ${formatDay(ends)}. Choose a plan by then to keep deploying. ${keepRunning}`,
    button: 'Choose a plan',
    link: choosePlanUrl(ctx.config, id),
  })

export const trialEndedMail = (ctx: Context, to: MailRecipient, { id, name }: MailWorkspace) =>
  composeMail(to.email, `The trial of ${name} has ended`, {
    text: `Hello ${to.name}, the trial of the workspace ${name} has ended. ${keepRunning} Choose a plan to deploy and make changes again.`,
    button: 'Choose a plan',
    link: choosePlanUrl(ctx.config, id),
  })

export function paymentFailedMail(
  ctx: Context,
  to: MailRecipient,
  { id, name }: MailWorkspace,
  row: SubscriptionRow,
) {
  const grace = graceEndsAt(row)
  const until = grace
    ? `The plan stays active until ${formatDay(grace)}.`
    : 'You cannot deploy or make changes until the payment is made.'
  return composeMail(to.email, `The payment for ${name} failed`, {
    text: `Hello ${to.name}, the payment for the workspace ${name} failed. ${until} ${keepRunning} Pay the invoice or update the card.`,
    button: 'View billing',
    link: workspaceUrl(billingUrl(ctx.config), id),
  })
}

export const graceEndedMail = (ctx: Context, to: MailRecipient, { id, name }: MailWorkspace) =>
  composeMail(to.email, `${name} is paused`, {
    text: `Hello ${to.name}, the payment for the workspace ${name} is overdue. You cannot deploy or make changes until the payment is made. ${keepRunning}`,
    button: 'Pay',
    link: choosePlanUrl(ctx.config, id),
  })

export const planEndedMail = (ctx: Context, to: MailRecipient, { id, name }: MailWorkspace) =>
  composeMail(to.email, `The plan of ${name} has ended`, {
    text: `Hello ${to.name}, the plan of the workspace ${name} has ended, and you will not be charged again. ${keepRunning} Choose a plan to deploy and make changes again.`,
    button: 'Choose a plan',
    link: choosePlanUrl(ctx.config, id),
  })
