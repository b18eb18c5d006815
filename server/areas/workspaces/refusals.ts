import type { Role } from '../../../contract/shared/permissions.ts'
import type { ConfiguredPlan } from '../../billing-variables.ts'
import { listed, Problem } from '../../errors.ts'
import type { Standing } from './standing.ts'

/** `url` is where a plan is chosen. */
const refuse = (url: string, code: string, sentence: string) =>
  new Problem(402, code, sentence, undefined, url)

/** `role` is that of whoever reads it, where that is known. */
export function noPlan(url: string, { subscription }: Pick<Standing, 'subscription'>, role?: Role): Problem {
  const remedy = isOwed(subscription) ? 'pay it' : 'choose a plan'
  const who = role === 'owner' ? remedy.replace(/^\w/, upper) : `Ask an owner of the workspace to ${remedy}`
  return refuse(
    url,
    'no_plan',
    `${whyNoPlan(subscription)}. ${who}; what is deployed keeps running meanwhile.`,
  )
}

export const whyNoPlan = (subscription: Standing['subscription']) =>
  isOwed(subscription)
    ? 'A payment for the plan of this workspace is owed'
    : `The ${subscription ? 'plan' : 'trial'} of this workspace has ended`

const isOwed = (subscription: Standing['subscription']) =>
  ['past_due', 'unpaid', 'incomplete'].includes(subscription?.status ?? '')

const upper = (first: string) => first.toUpperCase()

/** Without a plan it is a trial. */
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
      : [', invites that wait included', 'remove a member, or withdraw an invite']
  return refuse(
    url,
    'plan_limit',
    `${whose} allows ${allowed}, and this workspace has ${used}${counted}. Choose a larger plan, ${remedy}.`,
  )
}

/** What somebody with an invite is told: nothing of it can be done by them. */
export const cannotJoin = ({ code }: Problem) =>
  new Problem(
    402,
    code,
    code === 'plan_limit'
      ? 'The plan of this workspace allows no more members. Ask whoever invited you; the invite stays as it is.'
      : 'This workspace has no plan at the moment, so nobody can join it. Ask whoever invited you; the invite stays as it is.',
  )

export const workspaceHasApplications = (name: string, applications: string[]) =>
  new Problem(
    409,
    'workspace_has_applications',
    `The workspace ${name} still has the application${applications.length === 1 ? '' : 's'} ${listed(applications)}, and what runs of ${applications.length === 1 ? 'it' : 'them'} would go on with nobody to operate it. Delete ${applications.length === 1 ? 'it' : 'them'} first, and try again once ${applications.length === 1 ? 'it is' : 'they are'} gone from the server.`,
  )
export const workspaceHasServersInHand = (name: string, servers: string[]) =>
  new Problem(
    409,
    'workspace_has_servers_in_hand',
    `Of the workspace ${name} ${servers.length === 1 ? 'the server' : 'the servers'} ${listed(servers)} ${servers.length === 1 ? 'is' : 'are'} just being made or destroyed at a cloud, or half made there, and what is there would go on costing with nobody to see it. Try again once that has ended, or destroy or forget ${servers.length === 1 ? 'it' : 'them'} first.`,
  )
