import { z } from 'zod'
import { isRootUrl, url } from './config-values.ts'

const most = z.number().int().positive().nullable().default(null)

const price = z.string().min(1).max(255)

const plans = z
  .array(
    z.strictObject({
      id: z.string().regex(/^[a-z0-9_-]{1,40}$/, 'must contain only lowercase letters, digits, - and _'),
      name: z.string().trim().min(1).max(40),
      price,
      former_prices: z.array(price).max(100).default([]),
      servers: most,
      members: most,
      retention_days: most,
    }),
  )
  .min(1, 'must have at least one plan')
  .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'two plans have the same id')
  .refine((all) => {
    const prices = all.flatMap((plan) => [plan.price, ...plan.former_prices])
    return new Set(prices).size === prices.length
  }, 'two plans have the same price')

export type ConfiguredPlan = z.output<typeof plans>[number]

export const billingVariables = {
  STRIPE_SECRET_KEY: {
    schema: z
      .string()
      .trim()
      .regex(/^[sr]k_\w+$/, 'must be a secret or restricted Stripe key, which starts with sk_ or rk_')
      .optional(),
    defaultText: '',
    topic: 'Billing',
    description:
      'Secret key of your Stripe account. Turns billing on, together with STRIPE_WEBHOOK_SECRET and PLANS. Without billing, every workspace is on the Pro plan for free. Existing workspaces get a 14-day trial from the moment billing is turned on. A restricted key needs write access to Customers, Checkout Sessions, Subscriptions, Invoices and Customer portal, and read access to Prices. A workspace stays open for 7 days after a failed payment, so let Stripe retry for longer than that before it cancels (the default).',
  },
  STRIPE_WEBHOOK_SECRET: {
    schema: z
      .string()
      .trim()
      .regex(/^whsec_\S+$/, 'must be the signing secret of a webhook endpoint, which starts with whsec_')
      .optional(),
    defaultText: '',
    topic: 'Billing',
    description:
      'Signing secret of the webhook endpoint PUBLIC_URL/v1/events/stripe at Stripe. Send it all checkout.session, customer, customer.subscription and invoice events.',
  },
  STRIPE_API_URL: {
    schema: url
      .refine(isRootUrl, 'must be an http or https URL without a path')
      .default('https://api.stripe.com'),
    defaultText: 'https://api.stripe.com',
    topic: 'Billing',
    description: 'Stripe API.',
  },
  STRIPE_TAX: {
    schema: z.enum(['on', 'off'], { error: 'must be on or off' }).default('on'),
    defaultText: 'on',
    topic: 'Billing',
    description: 'Whether Stripe calculates tax. Needs Stripe Tax in your account.',
  },
  PLANS: {
    schema: z.string().transform(readPlans).optional(),
    defaultText: '',
    topic: 'Billing',
    description:
      'Plans as JSON, cheapest first, each with a recurring Stripe price: [{"id":"pro","name":"Pro","price":"price_123","servers":10,"members":5,"retention_days":30}]. An omitted limit means unlimited. Trials have the limits of the first plan. To raise a price, create a new one at Stripe and move the old one to "former_prices":["price_100"]; current subscribers keep it.',
  },
} as const satisfies Record<
  string,
  { schema: z.ZodType; defaultText: string; topic: string; description: string }
>

function readPlans(value: string, problems: z.RefinementCtx): ConfiguredPlan[] {
  const read = plans.safeParse(parsed(value))
  if (read.success) return read.data
  const [issue] = read.error.issues
  const where = issue?.path.length ? ` (${issue.path.join('.')}: ${issue.message})` : ` (${issue?.message})`
  problems.addIssue(
    `must be plans as JSON, such as [{"id":"pro","name":"Pro","price":"price_123","servers":10}]${where}`,
  )
  return z.NEVER
}

function parsed(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}
