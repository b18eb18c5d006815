import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { EmailMessage } from '../../platform/mailer.ts'
import { toMailSafeName } from '../../platform/text/mail-safe-name.ts'
import type { Trx } from '../../tables.ts'
import { type Addressee, letter, sendMail } from '../auth/mails.ts'
import { billingUrl, choosePlanUrl, inWorkspace } from '../workspaces/links.ts'
import { graceEndsAt } from '../workspaces/standing.ts'
import { findWorkspace, listOwners, type SubscriptionRow } from './store.ts'
import { dayOf } from './told.ts'

/** Emails all owners, if email is configured. */
export async function tellOwners(
  ctx: Context,
  trx: Trx,
  workspaceId: Id<'workspace'>,
  mail: (to: Addressee, workspace: Named) => EmailMessage,
): Promise<void> {
  const workspace = await findWorkspace(trx, workspaceId)
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

export interface Named {
  id: Id<'workspace'>
  name: string
}

const untouched = 'Deployed applications keep running.'

export const trialEndingMail = (ctx: Context, to: Addressee, { id, name }: Named, ends: Date) =>
  letter(to.email, `The trial of ${name} ends soon`, {
    text: `Hello ${to.name}, the trial of the workspace ${name} ends on ${dayOf(ends)}. Choose a plan by then to keep deploying. ${untouched}`,
    button: 'Choose a plan',
    link: choosePlanUrl(ctx.config, id),
  })

export const trialEndedMail = (ctx: Context, to: Addressee, { id, name }: Named) =>
  letter(to.email, `The trial of ${name} has ended`, {
    text: `Hello ${to.name}, the trial of the workspace ${name} has ended. ${untouched} Choose a plan to deploy and make changes again.`,
    button: 'Choose a plan',
    link: choosePlanUrl(ctx.config, id),
  })

export function paymentFailedMail(ctx: Context, to: Addressee, { id, name }: Named, row: SubscriptionRow) {
  const grace = graceEndsAt(row)
  const until = grace
    ? `The plan stays active until ${dayOf(grace)}.`
    : 'Nothing can be deployed or changed until it is paid.'
  return letter(to.email, `The payment for ${name} failed`, {
    text: `Hello ${to.name}, the payment for the plan of the workspace ${name} failed. ${until} ${untouched} Pay the invoice or update the card.`,
    button: 'View billing',
    link: inWorkspace(billingUrl(ctx.config), id),
  })
}

export const graceEndedMail = (ctx: Context, to: Addressee, { id, name }: Named) =>
  letter(to.email, `${name} is paused`, {
    text: `Hello ${to.name}, the payment for the plan of the workspace ${name} is overdue, so nothing can be deployed or changed until it is paid. ${untouched}`,
    button: 'Pay',
    link: choosePlanUrl(ctx.config, id),
  })

export const planEndedMail = (ctx: Context, to: Addressee, { id, name }: Named) =>
  letter(to.email, `The plan of ${name} has ended`, {
    text: `Hello ${to.name}, the plan of the workspace ${name} has ended, and nothing more is charged. ${untouched} Choose a plan to deploy and make changes again.`,
    button: 'Choose a plan',
    link: choosePlanUrl(ctx.config, id),
  })
