import { z } from 'zod'
import { type Call, missing, missingParam, Refusal } from './answer.ts'
import type { PortalConfiguration, PortalFeatures, PortalSession } from './checkout-records.ts'
import { merge, namedCustomer } from './customer-calls.ts'
import { pageOfList } from './lists.ts'
import { boolean, expand, metadata, orNone, paging, text, url } from './params.ts'
import { type Route, route } from './routes.ts'
import { showConfiguration, showPortalSession } from './show-checkout.ts'
import { newId, type State } from './state.ts'

const behavior = z.enum(['always_invoice', 'create_prorations', 'none']).optional()
const features = z.strictObject({
  customer_update: z
    .strictObject({
      enabled: boolean,
      allowed_updates: orNone(
        z.array(z.enum(['address', 'email', 'name', 'phone', 'shipping', 'tax_id'])),
      ).optional(),
    })
    .optional(),
  invoice_history: z.strictObject({ enabled: boolean }).optional(),
  payment_method_update: z.strictObject({ enabled: boolean }).optional(),
  subscription_cancel: z
    .strictObject({
      enabled: boolean,
      mode: z.enum(['at_period_end', 'immediately']).optional(),
      proration_behavior: behavior,
    })
    .optional(),
  subscription_update: z
    .strictObject({
      enabled: boolean,
      default_allowed_updates: orNone(z.array(z.enum(['price', 'promotion_code', 'quantity']))).optional(),
      proration_behavior: behavior,
    })
    .optional(),
})
const facts = {
  business_profile: z
    .strictObject({
      headline: orNone(text).optional(),
      privacy_policy_url: orNone(url).optional(),
      terms_of_service_url: orNone(url).optional(),
    })
    .optional(),
  default_return_url: orNone(url).optional(),
  login_page: z.strictObject({ enabled: boolean }).optional(),
  metadata: metadata.optional(),
  name: orNone(text).optional(),
  expand,
}
const changes = z.strictObject({ ...facts, features: features.optional(), active: boolean.optional() })

export const portalRoutes: Route[] = [
  route(
    ['POST', '/v1/billing_portal/configurations', 'billing_portal.configuration'],
    z.strictObject({ ...facts, features }),
    ({ state }, given) => showConfiguration(change(state, addConfiguration(state, false), given)),
  ),
  route(
    ['GET', '/v1/billing_portal/configurations', 'list billing_portal.configuration'],
    z.strictObject({ ...paging, active: boolean.optional(), is_default: boolean.optional() }),
    (call, given) => {
      const { active, is_default } = given
      const fitting = call.state.configurations.filter(
        (one) =>
          (active === undefined || one.active === active) &&
          (is_default === undefined || one.is_default === is_default),
      )
      return pageOfList(call, fitting, given, showConfiguration)
    },
  ),
  route(
    ['GET', '/v1/billing_portal/configurations/:id', 'billing_portal.configuration'],
    z.strictObject({ expand }),
    (call) => showConfiguration(find(call)),
  ),
  route(
    ['POST', '/v1/billing_portal/configurations/:id', 'billing_portal.configuration'],
    changes,
    (call, given) => showConfiguration(change(call.state, find(call), given)),
  ),
  route(
    ['POST', '/v1/billing_portal/sessions', 'billing_portal.session'],
    z.strictObject({
      customer: text,
      configuration: text.optional(),
      return_url: url.optional(),
      locale: text.optional(),
      expand,
    }),
    ({ state }, given) => {
      const { id: customer } = namedCustomer(state, given.customer)
      const configuration = configurationFor(state, given.configuration)
      const session: PortalSession = {
        id: newId('bps'),
        configuration: configuration.id,
        created: state.now(),
        customer,
        return_url: given.return_url ?? configuration.default_return_url,
        locale: given.locale ?? null,
      }
      state.portalSessions.push(session)
      return showPortalSession(state, session)
    },
  ),
]

/** Those that the API makes are never the default; that one is made by saving the settings in the dashboard. */
export function addConfiguration(state: State, isDefault: boolean): PortalConfiguration {
  const configuration: PortalConfiguration = {
    id: newId('bpc'),
    active: true,
    is_default: isDefault,
    created: state.now(),
    updated: state.now(),
    name: null,
    default_return_url: null,
    business_profile: { headline: null, privacy_policy_url: null, terms_of_service_url: null },
    features: {
      customer_update: { enabled: false, allowed_updates: [] },
      invoice_history: { enabled: isDefault },
      payment_method_update: { enabled: isDefault },
      subscription_cancel: { enabled: isDefault, mode: 'at_period_end', proration_behavior: 'none' },
      subscription_update: { enabled: false, default_allowed_updates: [], proration_behavior: 'none' },
    },
    login_page: false,
    metadata: {},
  }
  state.configurations.push(configuration)
  return configuration
}

function change(state: State, configuration: PortalConfiguration, given: z.output<typeof changes>) {
  const {
    active,
    business_profile,
    default_return_url,
    login_page,
    name,
    features: given_features = {},
  } = given
  for (const key of featureNames) {
    const said = Object.entries(given_features[key] ?? {}).filter(([, value]) => value !== undefined)
    // An empty list was said as nothing.
    Object.assign(
      configuration.features[key],
      Object.fromEntries(said.map(([name, value]) => [name, value ?? []])),
    )
  }
  Object.assign(configuration.business_profile, business_profile)
  if (active !== undefined) configuration.active = active
  if (default_return_url !== undefined) configuration.default_return_url = default_return_url
  if (login_page) configuration.login_page = login_page.enabled
  if (name !== undefined) configuration.name = name
  configuration.metadata = merge(configuration.metadata, given.metadata)
  configuration.updated = state.now()
  return configuration
}

const featureNames: (keyof PortalFeatures)[] = [
  'customer_update',
  'invoice_history',
  'payment_method_update',
  'subscription_cancel',
  'subscription_update',
]

function configurationFor({ configurations }: State, id: string | undefined): PortalConfiguration {
  const found = configurations.find((one) => (id === undefined ? one.is_default : one.id === id))
  if (!found && id !== undefined) throw missingParam('configuration', id, 'configuration')
  if (!found)
    throw new Refusal(400, {
      message:
        'No configuration provided and your test mode default configuration has not been created. Provide a configuration or create your default by saving your customer portal settings in test mode at https://dashboard.stripe.com/test/settings/billing/portal.',
    })
  if (!found.active)
    throw new Refusal(400, {
      param: 'configuration',
      message: 'The configuration is not active. Please use an active configuration.',
    })
  return found
}

function find({ state, params }: Call): PortalConfiguration {
  const found = state.configurations.find(({ id }) => id === params['id'])
  if (!found) throw missing('configuration', params['id'] ?? '', 'configuration')
  return found
}
