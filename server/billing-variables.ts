import { z } from 'zod'
import { isRoot, url } from './config-values.ts'

const most = z.number().int().positive().nullable().default(null)

const price = z.string().min(1).max(255)

const plans = z
  .array(
    z.strictObject({
      id: z.string().regex(/^[a-z0-9_-]{1,40}$/, 'small letters, digits, - and _ alone'),
      name: z.string().trim().min(1).max(40),
      price,
      former_prices: z.array(price).max(100).default([]),
      servers: most,
      members: most,
      retention_days: most,
    }),
  )
  .min(1, 'at least one is needed')
  .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'two have the same id')
  .refine((all) => {
    const prices = all.flatMap((plan) => [plan.price, ...plan.former_prices])
    return new Set(prices).size === prices.length
  }, 'two have the same price')

export type ConfiguredPlan = z.output<typeof plans>[number]

/** Settings of what is paid for. Without them nothing is, and nobody is asked to. */
export const billingVariables = {
  STRIPE_SECRET_KEY: {
    schema: z
      .string()
      .trim()
      .regex(/^[sr]k_\w+$/, 'must be a secret or restricted key of Stripe, which begins with sk_ or rk_')
      .optional(),
    shown: '',
    says: 'Has workspaces pay for a plan after their trial of 14 days: the secret key of your account at Stripe. It goes with STRIPE_WEBHOOK_SECRET and PLANS; without them every workspace is on the Pro plan and nobody is asked for money. Workspaces that are there when it is set get a trial of 14 days from then on. A restricted key needs the right to write Customers, Checkout Sessions, Subscriptions, Invoices, Refunds and Customer portal, and to read Prices. A payment that fails leaves a workspace open for 7 days: have Stripe retry for longer than that before it cancels, which it does unless its settings are changed.',
  },
  STRIPE_WEBHOOK_SECRET: {
    schema: z
      .string()
      .trim()
      .regex(/^whsec_\S+$/, 'must be the signing secret of a webhook endpoint, which begins with whsec_')
      .optional(),
    shown: '',
    says: 'The signing secret of the webhook endpoint that you add at Stripe, with the address PUBLIC_URL/v1/events/stripe and all events of checkout.session, customer, customer.subscription and invoice.',
  },
  STRIPE_API_URL: {
    schema: url
      .refine(isRoot, 'must be an http or https URL without a path')
      .default('https://api.stripe.com'),
    shown: 'https://api.stripe.com',
    says: "Stripe's API.",
  },
  STRIPE_TAX: {
    schema: z.enum(['on', 'off'], { error: 'must be on or off' }).default('on'),
    shown: 'on',
    says: 'Whether Stripe works out the tax of each payment. Needs Stripe Tax, set up in your account there.',
  },
  PLANS: {
    schema: z.string().transform(readPlans).optional(),
    shown: '',
    says: 'The plans as JSON, cheapest first, each mapped to a recurring price at Stripe: [{"id":"pro","name":"Pro","price":"price_123","servers":10,"members":5,"retention_days":30}]. A limit that is left out is none. A trial has the limits of the first. A price at Stripe cannot be changed: to raise one, put the new one in its place and the old one in "former_prices":["price_100"], so that whoever pays it stays on the plan.',
  },
} as const satisfies Record<string, { schema: z.ZodType; shown: string; says: string }>

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
