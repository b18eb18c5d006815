import { z } from 'zod'
import { isRootUrl, readPlans, readPrivateKey, seconds, topic, url } from './config-values.ts'

/** Settings of the outside services that Slipway calls. Without those of the topic Billing, billing is off. */
export const outsideVariables = {
  ...topic('GitHub', {
    GITHUB_CLIENT_ID: {
      schema: z.string().min(1).optional(),
      description: 'Client ID of the OAuth app or GitHub App, for logging in with GitHub.',
    },
    GITHUB_CLIENT_SECRET: {
      schema: z.string().min(1).optional(),
      description: 'Client secret of the same app.',
    },
    GITHUB_APP_ID: {
      schema: z
        .string()
        .trim()
        .regex(/^\d{1,15}$/, 'must be a number')
        .transform(Number)
        .optional(),
      defaultText: '(created in the console)',
      description:
        'ID of the GitHub App that reads repositories. Needs the client ID, client secret, private key and webhook secret of the same app. Without these, an instance owner creates the app in the console. Callback URLs of the app: PUBLIC_URL/dashboard/integrations/github/callback first, then PUBLIC_URL/login/success. Webhook URL: PUBLIC_URL/v1/events/github.',
    },
    GITHUB_APP_PRIVATE_KEY: {
      schema: z.string().trim().transform(readPrivateKey).optional(),
      description: 'Private key of the GitHub App: PEM, base64-encoded PEM, or the path of a PEM file.',
    },
    GITHUB_WEBHOOK_SECRET: {
      schema: z.string().min(8, 'must have at least 8 characters').optional(),
      description: 'Webhook secret of the GitHub App.',
    },
    GITHUB_URL: {
      schema: url.default('https://github.com'),
      defaultText: 'https://github.com',
      description: 'URL of GitHub or of a GitHub Enterprise server.',
    },
    GITHUB_API_URL: {
      schema: url.optional(),
      defaultText: 'https://api.github.com',
      description:
        'Base URL of the GitHub API. For a GitHub Enterprise server, the default is GITHUB_URL/api/v3.',
    },
  }),
  ...topic('Other services', {
    DOCKER_HUB_URL: {
      schema: url.default('https://hub.docker.com'),
      defaultText: 'https://hub.docker.com',
      description: 'Docker Hub, for image search.',
    },
    TELEGRAM_API_URL: {
      schema: url.default('https://api.telegram.org'),
      defaultText: 'https://api.telegram.org',
      description: 'Telegram Bot API, or your own Bot API server.',
    },
    PUSHOVER_API_URL: {
      schema: url.default('https://api.pushover.net'),
      defaultText: 'https://api.pushover.net',
      description: 'Pushover API.',
    },
    OUTSIDE_TIMEOUT: {
      schema: seconds.default(10),
      defaultText: '10',
      description: 'Request timeout, in seconds, for outside services such as GitHub.',
    },
  }),
  ...topic('Cloud providers', {
    HCLOUD_API_URL: {
      schema: url.default('https://api.hetzner.cloud'),
      defaultText: 'https://api.hetzner.cloud',
      description: 'Hetzner Cloud API.',
    },
    DIGITALOCEAN_API_URL: {
      schema: url.default('https://api.digitalocean.com'),
      defaultText: 'https://api.digitalocean.com',
      description: 'DigitalOcean API.',
    },
    VULTR_API_URL: {
      schema: url.default('https://api.vultr.com'),
      defaultText: 'https://api.vultr.com',
      description: 'Vultr API.',
    },
    CLOUD_TIMEOUT: {
      schema: seconds.default(900),
      defaultText: '900',
      description:
        'Seconds within which a new server must start and connect to Slipway at PUBLIC_URL; otherwise its creation fails. Time during which the provider is unreachable does not count.',
    },
  }),
  ...topic('Billing', {
    STRIPE_SECRET_KEY: {
      schema: z
        .string()
        .trim()
        .regex(/^[sr]k_\w+$/, 'must be a secret or restricted Stripe key, which starts with sk_ or rk_')
        .optional(),
      description:
        'Secret key of your Stripe account. Turns billing on, together with STRIPE_WEBHOOK_SECRET and PLANS. Without billing, every workspace is on the Pro plan for free. Existing workspaces get a 14-day trial when billing is turned on. A restricted key needs write access to Customers, Checkout Sessions, Subscriptions, Invoices and Customer portal, and read access to Prices. A workspace keeps its access for 7 days after a failed payment. Stripe must retry for longer than that before it cancels the subscription, which is its default.',
    },
    STRIPE_WEBHOOK_SECRET: {
      schema: z
        .string()
        .trim()
        .regex(/^whsec_\S+$/, 'must be the signing secret of a webhook endpoint, which starts with whsec_')
        .optional(),
      description:
        'Signing secret of the Stripe webhook endpoint PUBLIC_URL/v1/events/stripe. Subscribe it to all checkout.session, customer, customer.subscription and invoice events.',
    },
    STRIPE_API_URL: {
      schema: url
        .refine(isRootUrl, 'must be an http or https URL without a path')
        .default('https://api.stripe.com'),
      defaultText: 'https://api.stripe.com',
      description: 'Stripe API.',
    },
    STRIPE_TAX: {
      schema: z.enum(['on', 'off'], { error: 'must be on or off' }).default('on'),
      defaultText: 'on',
      description: 'Whether Stripe calculates tax. Needs Stripe Tax in your account.',
    },
    PLANS: {
      schema: z.string().transform(readPlans).optional(),
      description:
        'Plans as JSON, cheapest first, each with a recurring Stripe price: [{"id":"pro","name":"Pro","price":"price_123","servers":10,"members":5,"retention_days":30}]. An omitted limit means unlimited. Trials have the limits of the first plan. To raise a price, create a new one in Stripe and move the old one to "former_prices":["price_100"]; current subscribers keep it.',
    },
  }),
}
