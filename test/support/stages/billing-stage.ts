import { sql } from 'kysely'
import * as contract from '../../../contract/billing.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { getCurrentWorkspace } from '../../../contract/workspaces.ts'
import { startSlipway } from './context.ts'
import { setTrial } from '../factories/billing-factories.ts'
import { makeTeam } from '../factories/factories.ts'
import { startFakeStripe } from '../fakes/stripe.ts'
import { allEnded } from './workers.ts'

/** Slipway with billing, a fake Stripe and its clock. */
export async function openBillingStage(env: Record<string, string> = {}) {
  const stripe = await startFakeStripe()
  const slipway = await startSlipway({ ...stripe.env, ...env })
  const { db, ctx } = slipway
  ctx.now = () => new Date(stripe.now() * 1_000)
  const url = await slipway.listen()
  stripe.webhooks.sendTo(`${url}/v1/events/stripe`)
  slipway.work()

  /** Resolves when webhooks are delivered and their jobs are finished. */
  async function settled() {
    const { webhooks } = stripe
    let sent: number
    // A job can cause another webhook, and that another job.
    do {
      sent = webhooks.sent.length
      await webhooks.settled()
      await allEnded(db, ['sync-billing', 'end-subscription'])
    } while (webhooks.isDelivering() || webhooks.sent.length !== sent)
  }

  const rowOf = (workspace: Id<'workspace'>) =>
    db.selectFrom('subscriptions').selectAll().where('workspace_id', '=', workspace).executeTakeFirst()

  /** A workspace with a trial, and actions of its owner. */
  async function newYard({ trialDays = 1 }: { trialDays?: number } = {}) {
    const team = await makeTeam(db)
    const { workspace, owner } = team
    await setTrial(db, workspace, new Date((stripe.now() + trialDays * 86_400) * 1_000))
    const { token } = owner
    const subscribe = (plan_id: string) => slipway.ok(contract.subscribe, { token, body: { plan_id } })
    const ofWorkspace = async () => (await slipway.ok(getCurrentWorkspace, { token })).workspace
    const row = () => rowOf(workspace)
    const customer = async () => (await row())?.customer_id ?? ''
    return {
      ...team,
      token,
      subscribe,
      row,
      customer,
      shown: ofWorkspace,
      /** Chooses a plan, pays and returns. */
      async buy(plan_id = 'pro', card = '4242 4242 4242 4242') {
        const { url: page } = await subscribe(plan_id)
        // The return must come before the webhook, so that the initiator is deterministic.
        stripe.webhooks.hold()
        await settled()
        const paid = await stripe.pay(page ?? '', { card })
        if (!('to' in paid)) throw new Error(paid.says)
        const session_id = new URL(paid.to).searchParams.get('session_id')
        const confirmed = await slipway.ok(contract.confirmSubscription, { token, body: { session_id } })
        stripe.webhooks.release()
        await settled()
        return confirmed
      },
      subscription: () => slipway.ok(contract.getSubscription, { token }),
      change: (plan_id: string) => slipway.ok(contract.previewChange, { token, query: { plan_id } }),
      cancel: () => slipway.ok(contract.cancelSubscription, { token }),
      resume: () => slipway.ok(contract.resumeSubscription, { token }),
      refused: (plan_id: string, status: number, code: string) =>
        slipway.refused(contract.subscribe, { token, body: { plan_id } }, status, code),
      /** Audit events of the plan, oldest first. */
      async auditEvents() {
        const { rows } = await sql<{ said: string }>`
          select substr(type, 9) || ' by ' || case when actor_id is null then actor_name else 'owner' end as said
          from events where workspace_id = ${workspace} and type like 'billing.%' order by id`.execute(db)
        return rows.map(({ said }) => said)
      },
      /** Active subscriptions at Stripe. */
      async live() {
        const id = await customer()
        return stripe.subscriptions.filter(
          (one) => one.customer === id && !['canceled', 'incomplete_expired'].includes(one.status),
        )
      },
      /** Amount paid, in cents. */
      async paid() {
        const id = await customer()
        const paid = stripe.invoices.filter((one) => one.customer === id && one.status === 'paid')
        return paid.reduce((sum, { amount_paid }) => sum + amount_paid, 0)
      },
    }
  }

  return {
    stripe,
    slipway,
    db,
    ctx,
    newYard,
    settled,
    /** Advances both clocks and waits for the results. */
    pass: async (time: { days?: number; hours?: number }) => {
      await stripe.advance(time)
      await settled()
    },
    close: async () => {
      await slipway.close()
      await stripe.close()
    },
  }
}
