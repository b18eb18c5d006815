import type { Id } from '../../../contract/ids.ts'
import type { Context } from '../../context.ts'
import type { Letter } from '../../platform/mail.ts'
import type { Trx } from '../../tables.ts'
import { type Addressee, letter, sendMail } from '../auth/mails.ts'
import { choosePlanUrl } from '../workspaces/refusals.ts'
import { graceEndsAt } from '../workspaces/standing.ts'
import { findWorkspace, listOwners, type SubscriptionRow } from './store.ts'
import { dayOf } from './told.ts'

/** A mail to each owner, where a mail server is configured. */
export async function tellOwners(
  ctx: Context,
  trx: Trx,
  workspaceId: Id<'workspace'>,
  mail: (to: Addressee, workspace: string) => Letter,
): Promise<void> {
  const workspace = await findWorkspace(trx, workspaceId)
  if (!ctx.mail || !workspace) return
  for (const owner of await listOwners(trx, workspaceId))
    await sendMail(ctx, trx, mail(owner, workspace.name))
}

const untouched = 'Applications that are deployed run on, whatever happens.'

export const trialEndingMail = (ctx: Context, to: Addressee, workspace: string, ends: Date) =>
  letter(to.email, `The trial of ${workspace} ends soon`, {
    text: `Hello ${to.name}, the trial of the workspace ${workspace} ends on ${dayOf(ends)}. Choose a plan until then to go on deploying. ${untouched}`,
    button: 'Choose a plan',
    link: choosePlanUrl(ctx.config),
  })

export const trialEndedMail = (ctx: Context, to: Addressee, workspace: string) =>
  letter(to.email, `The trial of ${workspace} has ended`, {
    text: `Hello ${to.name}, the trial of the workspace ${workspace} has ended. ${untouched} To deploy and to change them, choose a plan.`,
    button: 'Choose a plan',
    link: choosePlanUrl(ctx.config),
  })

export function paymentFailedMail(ctx: Context, to: Addressee, workspace: string, row: SubscriptionRow) {
  const grace = graceEndsAt(row)
  const until = grace
    ? `Everything stays as it is until ${dayOf(grace)}.`
    : 'Until it is made, nothing can be deployed or changed.'
  return letter(to.email, `The payment for ${workspace} failed`, {
    text: `Hello ${to.name}, the payment for the plan of the workspace ${workspace} did not go through. ${until} ${untouched} Pay it, or change the card.`,
    button: 'See the plan',
    link: `${ctx.config.PUBLIC_URL}/dashboard/billing`,
  })
}

export const graceEndedMail = (ctx: Context, to: Addressee, workspace: string) =>
  letter(to.email, `${workspace} is paused`, {
    text: `Hello ${to.name}, the payment for the plan of the workspace ${workspace} is still owed, so nothing can be deployed or changed there until it is made. ${untouched}`,
    button: 'Pay',
    link: choosePlanUrl(ctx.config),
  })
