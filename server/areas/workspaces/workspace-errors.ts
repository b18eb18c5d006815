import type { Role } from '../../../contract/shared/permissions.ts'
import type { ConfiguredPlan } from '../../config-values.ts'
import { Problem } from '../../errors.ts'
import { formatNames } from '../../../contract/shared/format-list.ts'
import { isPaymentOverdue, noPlanReason, type PlanAccess } from './plan-access.ts'

const planProblem = (url: string, code: string, sentence: string) =>
  new Problem(402, code, sentence, undefined, url)

export function noPlan(
  url: string,
  { subscription }: Pick<PlanAccess, 'subscription'>,
  role?: Role,
): Problem {
  const remedy = isPaymentOverdue(subscription) ? 'pay the invoice' : 'choose a plan'
  const who = role === 'owner' ? remedy.replace(/^\w/, upper) : `Ask a workspace owner to ${remedy}`
  return planProblem(
    url,
    'no_plan',
    `${noPlanReason(subscription)}. ${who}. Deployed applications keep running.`,
  )
}

const upper = (first: string) => first.toUpperCase()

/** Error for a reached plan limit. A workspace without a plan is on trial. */
export function planLimit(
  url: string,
  plan: Pick<ConfiguredPlan, 'name'> | undefined,
  what: 'servers' | 'members',
  most: number,
  used: number,
): Problem {
  const whose = plan ? `The plan ${plan.name}` : 'The trial'
  const allowed = `${most} ${most === 1 ? what.slice(0, -1) : what}`
  const [counted, remedy] =
    what === 'servers'
      ? ['', 'or delete a server']
      : [', including pending invites', 'remove a member, or revoke an invite']
  return planProblem(
    url,
    'plan_limit',
    `${whose} allows ${allowed}, and this workspace has ${used}${counted}. Choose a larger plan, ${remedy}.`,
  )
}

/** Error for invited users, who cannot fix the plan themselves. */
export const cannotJoin = ({ code }: Problem) =>
  new Problem(
    402,
    code,
    code === 'plan_limit'
      ? 'This workspace has reached the member limit of its plan. Ask the person who invited you to make room. The invite stays valid.'
      : 'This workspace has no active plan, so new members cannot join. Ask the person who invited you to choose a plan. The invite stays valid.',
  )

export const workspaceHasApplications = (name: string, applications: string[]) =>
  new Problem(
    409,
    'workspace_has_applications',
    `The workspace ${name} still has the application${applications.length === 1 ? '' : 's'} ${formatNames(applications)}. Delete the application${applications.length === 1 ? '' : 's'} first, then try again once the containers are removed.`,
  )
export const workspaceHasPendingServers = (name: string, servers: string[]) =>
  new Problem(
    409,
    'workspace_has_pending_servers',
    `The server${servers.length === 1 ? '' : 's'} ${formatNames(servers)} of the workspace ${name} ${servers.length === 1 ? 'is' : 'are'} being created or destroyed at a cloud provider and may still be billed. Try again later, or destroy or forget the server${servers.length === 1 ? '' : 's'} first.`,
  )
