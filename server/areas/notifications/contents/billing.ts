import { billingUrl } from '../../workspaces/links.ts'
import { eventSentence } from '../event-sentence.ts'
import type { NotifiedEvent, RenderMessage, RenderedMessage } from '../rendered-message.ts'

const untouched = 'Deployed applications keep running.'

const about =
  (
    severity: RenderedMessage['severity'],
    title: (event: NotifiedEvent) => string,
    more = '',
  ): RenderMessage =>
  async ({ config }, _trx, event) => ({
    kind: 'happened',
    severity,
    title: title(event),
    text: [event.detail, more].filter(Boolean).join(' '),
    facts: [],
    lines: [],
    link: { label: 'View plan', url: billingUrl(config) },
    ids: {},
  })

export const trialEnding = about(
  'warning',
  ({ type, target_name }) =>
    `The trial of ${target_name} ${type === 'billing.trial_ended' ? 'has ended' : 'ends soon'}`,
  `${untouched} To deploy and change applications, an owner has to choose a plan.`,
)

export const planChanged = about('info', eventSentence)

export const planPaused = about(
  'critical',
  ({ type, target_name }) =>
    type === 'billing.ended'
      ? `The plan ${target_name} has ended`
      : `The payment for the plan ${target_name} is overdue`,
  `${untouched} To deploy and change applications, an owner has to renew the plan.`,
)

export const paymentFailed = about(
  'warning',
  ({ target_name }) => `The payment for the plan ${target_name} failed`,
  `${untouched} An owner has to pay the invoice or update the card.`,
)

export const planRecovered = about('good', ({ target_name }) => `The plan ${target_name} is paid for again`)
