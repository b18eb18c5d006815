import type { Stripe } from 'stripe'
import { getCustomerParam, readMetadata } from './customers.ts'
import { invalidRequest, noSuch } from './errors.ts'
import type { PortalConfiguration, PortalSession, Subscription } from './records.ts'
import { filterBy, listRoute, type Route, route } from './routes.ts'
import { present } from './schema.ts'
import { newId, type State } from './state.ts'
import { changeSubscription } from './subscription-status.ts'
import { cancellationOf } from './subscription-update.ts'

export const portalRoutes: Route[] = [
  route(
    'POST /v1/billing_portal/configurations',
    ({ state }, { features, metadata }: Stripe.BillingPortal.ConfigurationCreateParams) => {
      const configuration = addConfiguration(state, false)
      for (const [name, feature] of Object.entries(features))
        Object.assign(Reflect.get(configuration.features, name), feature)
      configuration.metadata = readMetadata(metadata)
      return presentConfiguration(state, configuration)
    },
  ),
  listRoute(
    'GET /v1/billing_portal/configurations',
    ({ configurations }, { active }: Stripe.BillingPortal.ConfigurationListParams) =>
      filterBy(configurations, { active }),
    presentConfiguration,
  ),
  route(
    'POST /v1/billing_portal/sessions',
    ({ state }, { customer = '', configuration, return_url }: Stripe.BillingPortal.SessionCreateParams) => {
      const session: PortalSession = {
        id: newId('bps'),
        created: state.now(),
        configuration: findConfiguration(state, configuration).id,
        customer: getCustomerParam(state, customer).id,
        return_url: return_url ?? null,
      }
      state.portalSessions.push(session)
      return present('PortalSession', { ...session, url: `${state.url}/p/session/${session.id}` })
    },
  ),
]

export const defaultFeatures = (enabled: boolean) => ({
  customer_update: { enabled: false },
  invoice_history: { enabled },
  payment_method_update: { enabled },
  subscription_cancel: { enabled, mode: 'at_period_end', proration_behavior: 'none' },
  subscription_pause: { enabled: false, duration: { type: 'indefinite' } },
  subscription_update: { enabled: false, proration_behavior: 'none', trial_update_behavior: 'end_trial' },
})

/** The default configuration is created by saving the settings in the dashboard, never by the API. */
export function addConfiguration(state: State, isDefault: boolean): PortalConfiguration {
  const configuration: PortalConfiguration = {
    id: newId('bpc'),
    created: state.now(),
    active: true,
    is_default: isDefault,
    features: defaultFeatures(isDefault),
    metadata: {},
  }
  state.configurations.push(configuration)
  return configuration
}

function presentConfiguration(_state: State, configuration: PortalConfiguration) {
  return present('Configuration', { ...configuration, updated: configuration.created })
}

function findConfiguration({ configurations }: State, id: string | undefined): PortalConfiguration {
  const found = configurations.find((one) => (id === undefined ? one.is_default : one.id === id))
  if (found) return found
  if (id !== undefined) throw noSuch(400, 'configuration', id, 'configuration')
  throw invalidRequest(
    'No configuration provided: create your default by saving your customer portal settings in test mode.',
  )
}

/** Newer portals set `cancel_at`, older ones `cancel_at_period_end`. */
export function cancelInPortal(
  state: State,
  subscription: Subscription,
  mode: 'cancel_at' | 'cancel_at_period_end' = 'cancel_at',
) {
  const { current_period_end: end } = subscription
  const params = mode === 'cancel_at' ? { cancel_at: end } : { cancel_at_period_end: true }
  changeSubscription(state, subscription, cancellationOf(state, subscription, params, end))
}

export const renewInPortal = (state: State, subscription: Subscription) =>
  changeSubscription(state, subscription, cancellationOf(state, subscription, { cancel_at: '' }, 0))
