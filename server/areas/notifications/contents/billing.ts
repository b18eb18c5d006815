import {
  eventSentence,
  type NotifiedEvent,
  type RenderedMessage,
  type RenderMessage,
  renderNotice,
} from '../message-content.ts'

const untouched = 'Deployed applications keep running.'

const renderPlan =
  (
    severity: RenderedMessage['severity'],
    title: (event: NotifiedEvent) => string,
    advice = '',
  ): RenderMessage =>
  async (ctx, _trx, event) =>
    renderNotice(ctx, ['View plan', '/billing'], {
      severity,
      title: title(event),
      text: [event.detail, advice].filter(Boolean).join(' '),
    })

export const trialEnding = renderPlan(
  'warning',
  ({ type, target_name }) =>
    `The trial of ${target_name} ${type === 'billing.trial_ended' ? 'has ended' : 'ends soon'}`,
  `${untouched} To deploy and change applications, an owner must choose a plan.`,
)

export const planChanged = renderPlan('info', eventSentence)

export const planPaused = renderPlan(
  'critical',
  ({ type, target_name }) =>
    type === 'billing.ended'
      ? `The plan ${target_name} has ended`
      : `The payment for the plan ${target_name} is overdue`,
  `${untouched} To deploy and change applications, an owner must renew the plan.`,
)

export const paymentFailed = renderPlan(
  'warning',
  ({ target_name }) => `The payment for the plan ${target_name} failed`,
  `${untouched} An owner must pay the invoice or update the card.`,
)

export const planRecovered = renderPlan(
  'good',
  ({ target_name }) => `The payment for the plan ${target_name} was received`,
)
