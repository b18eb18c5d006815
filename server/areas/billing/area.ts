import type { Area } from '../../area.ts'
import { jobs, schedules } from './jobs.ts'
import * as contract from '../../../contract/billing.ts'
import { route } from '../../route.ts'
import { cancelSubscription, resumeSubscription } from './cancel-subscription.ts'
import { confirmSubscription, subscribe } from './subscribe.ts'
import { listPlans } from './plans.ts'
import { openPortal } from './customer-portal.ts'
import { previewPlanChange } from './change-plan.ts'
import { getSubscription } from './subscription.ts'

const routes = [
  route(contract.listPlans, (ctx, { caller }) => listPlans(ctx, caller)),
  route(contract.getSubscription, (ctx, { caller }) => getSubscription(ctx, caller)),
  route(contract.previewChange, (ctx, { caller, query }) => previewPlanChange(ctx, caller, query.plan_id)),
  route(contract.subscribe, (ctx, { caller, body }) => subscribe(ctx, caller, body)),
  route(contract.confirmSubscription, (ctx, { caller, body }) =>
    confirmSubscription(ctx, caller, body.session_id),
  ),
  route(contract.cancelSubscription, (ctx, { caller }) => cancelSubscription(ctx, caller)),
  route(contract.resumeSubscription, (ctx, { caller }) => resumeSubscription(ctx, caller)),
  route(contract.openPortal, (ctx, { caller }) => openPortal(ctx, caller)),
]

export const billingArea: Area = {
  name: 'billing',
  routes,
  jobs,
  schedules,
}
