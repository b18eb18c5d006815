import type { Page } from 'playwright-core'
import type { Screen } from './screens.ts'
import { button, sees } from './see.ts'

const choosePlan = '/dashboard/billing/choose-plan'
const billing = '/dashboard/billing'
const text = (words: string | RegExp) => (page: Page) => sees(page.getByText(words).first())
const notice = (name: string) => (page: Page) => sees(page.getByRole('region', { name, exact: true }))
const plan = (name: string) => (page: Page) =>
  sees(page.getByRole('list', { name: 'Plans' }).getByRole('heading', { name, exact: true }))

/** What an owner sees of the plans in the days of the trial. */
export const trialScreens: Screen[] = [
  { name: 'plans on trial', path: choosePlan, shows: plan('Pro') },
  { name: 'billing on trial', path: billing, shows: text('Members and invites') },
  {
    name: 'sheet on trial',
    path: billing,
    after: (page) => button(page, 'Toggle the sidebar').click(),
    shows: (page) => sees(page.getByRole('dialog', { name: 'Navigation' }).getByText(/days left/)),
    phone: true,
  },
  {
    name: 'payment that is none of the workspace',
    path: `${billing}/success?session_id=cs_test_none`,
    shows: text('This payment is not one of this workspace'),
  },
]

/** Of a plan that is paid for. */
export const paidScreens: Screen[] = [
  { name: 'plans, with one of them', path: choosePlan, shows: text('Current plan') },
  {
    name: 'another plan',
    path: choosePlan,
    after: (page) => button(page, 'Upgrade to Team').click(),
    shows: (page) => sees(page.getByRole('dialog', { name: 'Upgrade to Team?' }).getByText('Then')),
  },
  {
    name: 'smaller plan',
    path: `${choosePlan}?dialog=change-hobby`,
    shows: text('It allows less than you have'),
  },
  { name: 'billing', path: billing, shows: text('Card and invoices') },
  {
    name: 'cancel the plan',
    path: `${billing}?dialog=cancel-plan`,
    shows: (page) => sees(page.getByRole('alertdialog', { name: 'Cancel the Pro plan?' })),
  },
  {
    name: 'delete a workspace that is paid for',
    path: '/dashboard/workspace/settings',
    after: (page) => button(page, 'Delete workspace').click(),
    shows: text(/Its subscription ends at once/),
  },
]

/** The screen that those come back to who have paid. */
export const thanksScreens = (sessionId: string): Screen[] => [
  {
    name: 'payment that was made',
    path: `${billing}/success?session_id=${sessionId}`,
    shows: text('You are on the Pro plan'),
  },
]

/** Of a plan that was cancelled. */
export const endingScreens: Screen[] = [
  { name: 'billing, cancelled', path: billing, shows: notice('The plan was cancelled') },
  { name: 'plans, cancelled', path: choosePlan, shows: (page) => sees(button(page, 'Keep Pro')) },
]

/** Of one whose change to another plan has to be confirmed. */
export const waitingScreens: Screen[] = [
  { name: 'billing, to confirm', path: billing, shows: notice('The change to Team waits to be confirmed') },
]

/** Of one for which a payment is owed. */
export const owedScreens: Screen[] = [
  { name: 'billing, owed', path: billing, shows: notice('A payment of €29.00 did not come through') },
  { name: 'plans, owed', path: choosePlan, shows: notice('A payment of €29.00 did not come through') },
]

/** What is left without a plan; `id` is of an application there. */
export const lockedScreens = (id: string): Screen[] => [
  { name: 'no plan', path: choosePlan, shows: text('The trial has ended') },
  {
    name: 'delete without a plan',
    path: `${choosePlan}?dialog=delete-${id}`,
    shows: (page) => sees(page.getByRole('alertdialog', { name: /^Delete / })),
  },
  {
    name: 'palette without a plan',
    path: choosePlan,
    after: (page) => page.keyboard.press('Control+k'),
    shows: (page) => sees(page.getByRole('dialog', { name: 'Search or jump to' })),
  },
]

/** Of one that is locked for a debt. */
export const lockedOwedScreens: Screen[] = [
  { name: 'no plan, owed', path: choosePlan, shows: notice('A payment is owed') },
  {
    name: 'cancel what is owed for',
    path: `${choosePlan}?dialog=cancel-plan`,
    shows: (page) => sees(page.getByRole('alertdialog', { name: 'Cancel the Pro plan?' })),
  },
]

/** Of one that was made after the trial. */
export const bornLockedScreens: Screen[] = [
  { name: 'no plan yet', path: choosePlan, shows: text(/^Your trial has ended with your first workspace/) },
]

/** The same for somebody who is no owner. */
export const lockedMemberScreens: Screen[] = [
  { name: 'no plan, for a member', path: choosePlan, shows: text(/an owner has to choose a plan/) },
]
