import type { Metadata, Subscription } from './records.ts'

export interface CheckoutSession {
  id: string
  status: 'open' | 'complete' | 'expired'
  payment_status: 'paid' | 'unpaid' | 'no_payment_required'
  created: number
  expires_at: number
  customer: string | null
  customer_email: string | null
  client_reference_id: string | null
  metadata: Metadata
  success_url: string
  cancel_url: string | null
  line_items: { id: string; price: string; quantity: number }[]
  currency: string
  subscription: string | null
  invoice: string | null
  subscription_data: {
    metadata: Metadata
    description: string | null
    trial_end: number | null
    trial_period_days: number | null
    missingCard: Subscription['missingCard']
  }
  automatic_tax: boolean
  tax_id_collection: boolean
  billing_address_collection: 'auto' | 'required'
  customer_update: { address: 'auto' | 'never'; name: 'auto' | 'never' }
  allow_promotion_codes: boolean | null
  payment_method_collection: 'always' | 'if_required'
  locale: string | null
}

export interface PortalConfiguration {
  id: string
  active: boolean
  is_default: boolean
  created: number
  updated: number
  name: string | null
  default_return_url: string | null
  business_profile: Record<'headline' | 'privacy_policy_url' | 'terms_of_service_url', string | null>
  features: PortalFeatures
  login_page: boolean
  metadata: Metadata
}

export interface PortalFeatures {
  customer_update: { enabled: boolean; allowed_updates: string[] }
  invoice_history: { enabled: boolean }
  payment_method_update: { enabled: boolean }
  subscription_cancel: {
    enabled: boolean
    mode: 'at_period_end' | 'immediately'
    proration_behavior: string
  }
  subscription_update: { enabled: boolean; default_allowed_updates: string[]; proration_behavior: string }
}

export interface PortalSession {
  id: string
  configuration: string
  created: number
  customer: string
  return_url: string | null
  locale: string | null
}
