import { z } from 'zod'
import { type Call, missingParam, named, Refusal } from './answer.ts'
import { merge, namedCustomer } from './customer-calls.ts'
import { boolean, expand, metadata, orNone, text, url } from './params.ts'
import type { PortalConfiguration, PortalSession } from './records.ts'
import { listRoute, type Route, route } from './routes.ts'
import { showConfiguration, showPortalSession } from './show-checkout.ts'
import { newId, type State } from './state.ts'

const proration_behavior = z.enum(['always_invoice', 'create_prorations', 'none']).optional()
const feature = z.strictObject({ enabled: boolean })
const listOf = <T extends string>(values: T[]) => orNone(z.array(z.enum(values))).optional()
const customerUpdates = listOf(['address', 'email', 'name', 'phone', 'shipping', 'tax_id'])
const subscriptionUpdates = listOf(['price', 'promotion_code', 'quantity'])
const mode = z.enum(['at_period_end', 'immediately']).optional()
const features = z.strictObject({
  customer_update: feature.extend({ allowed_updates: customerUpdates }).optional(),
  invoice_history: feature.optional(),
  payment_method_update: feature.optional(),
  subscription_cancel: feature.extend({ mode, proration_behavior }).optional(),
  subscription_update: feature
    .extend({ default_allowed_updates: subscriptionUpdates, proration_behavior })
    .optional(),
})
const profile = z.strictObject({
  headline: orNone(text).optional(),
  privacy_policy_url: orNone(url).optional(),
  terms_of_service_url: orNone(url).optional(),
})
const facts = {
  business_profile: profile.optional(),
  default_return_url: orNone(url).optional(),
  login_page: feature.optional(),
  metadata: metadata.optional(),
  name: orNone(text).optional(),
  expand,
}
const changes = z.strictObject({ ...facts, features: features.optional(), active: boolean.optional() })
const sessionParams = z.strictObject({
  customer: text,
  configuration: text.optional(),
  return_url: url.optional(),
  locale: text.optional(),
  expand,
})

const kind = 'billing_portal.configuration'
const path = '/v1/billing_portal/configurations'
const find = (call: Call) => named(call, call.state.configurations, 'configuration', 'configuration')

export const portalRoutes: Route[] = [
  route(`POST ${path}`, kind, z.strictObject({ ...facts, features }), ({ state }, given) =>
    showConfiguration(change(state, addConfiguration(state, false), given)),
  ),
  listRoute(
    path,
    kind,
    { active: boolean.optional(), is_default: boolean.optional() },
    ({ configurations }) => configurations,
    showConfiguration,
  ),
  route(`POST ${path}/:id`, kind, changes, (call, given) =>
    showConfiguration(change(call.state, find(call), given)),
  ),
  route('POST /v1/billing_portal/sessions', 'billing_portal.session', sessionParams, ({ state }, given) => {
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
  }),
]

/** Configurations of the API are never the default, which is created by saving the settings in the dashboard. */
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
  const { active, default_return_url, login_page, name } = given
  for (const [key, feature] of Object.entries(given.features ?? {})) {
    const said = Object.entries(feature ?? {}).filter(([, value]) => value !== undefined)
    // An empty list was said as nothing.
    const values = Object.fromEntries(said.map(([one, value]) => [one, value ?? []]))
    Object.assign(Reflect.get(configuration.features, key), values)
  }
  Object.assign(configuration.business_profile, given.business_profile)
  if (active !== undefined) configuration.active = active
  if (default_return_url !== undefined) configuration.default_return_url = default_return_url
  if (login_page) configuration.login_page = login_page.enabled
  if (name !== undefined) configuration.name = name
  configuration.metadata = merge(configuration.metadata, given.metadata)
  configuration.updated = state.now()
  return configuration
}

function configurationFor({ configurations }: State, id: string | undefined): PortalConfiguration {
  const found = configurations.find((one) => (id === undefined ? one.is_default : one.id === id))
  if (!found && id !== undefined) throw missingParam('configuration', id, 'configuration')
  const message = found
    ? 'The configuration is not active. Please use an active configuration.'
    : 'No configuration provided: create your default by saving your customer portal settings in test mode.'
  if (!found?.active) throw new Refusal(400, { message, ...(found && { param: 'configuration' }) })
  return found
}
