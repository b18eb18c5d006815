import { z } from 'zod'
import { readNetworks, readPrivateKey, url } from './config-values.ts'

const secondsSay = 'must be a number of seconds above 0'
const seconds = z.coerce.number(secondsSay).positive(secondsSay)

export const outsideVariables = {
  GITHUB_CLIENT_ID: {
    schema: z.string().min(1).optional(),
    defaultText: '',
    topic: 'GitHub',
    description: 'Client ID of the OAuth app or GitHub App, for signing in with GitHub.',
  },
  GITHUB_CLIENT_SECRET: {
    schema: z.string().min(1).optional(),
    defaultText: '',
    topic: 'GitHub',
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
    topic: 'GitHub',
    description:
      'ID of the GitHub App that reads repositories. Needs the client ID, client secret, private key and webhook secret of the same app. Without these, an instance owner creates the app in the console. Callback URLs of the app: PUBLIC_URL/dashboard/integrations/github/callback first, then PUBLIC_URL/login/success. Webhook URL: PUBLIC_URL/v1/events/github.',
  },
  GITHUB_APP_PRIVATE_KEY: {
    schema: z.string().trim().transform(readPrivateKey).optional(),
    defaultText: '',
    topic: 'GitHub',
    description: 'Private key of the GitHub App: PEM, base64-encoded PEM, or the path of a PEM file.',
  },
  GITHUB_WEBHOOK_SECRET: {
    schema: z.string().min(8, 'must have at least 8 characters').optional(),
    defaultText: '',
    topic: 'GitHub',
    description: 'Webhook secret of the GitHub App.',
  },
  GITHUB_URL: {
    schema: url.default('https://github.com'),
    defaultText: 'https://github.com',
    topic: 'GitHub',
    description: 'URL of GitHub or of a GitHub Enterprise server.',
  },
  GITHUB_API_URL: {
    schema: url.optional(),
    defaultText: 'https://api.github.com',
    topic: 'GitHub',
    description: 'Base URL of its API. For a GitHub Enterprise server, the default is GITHUB_URL/api/v3.',
  },
  DOCKER_HUB_URL: {
    schema: url.default('https://hub.docker.com'),
    defaultText: 'https://hub.docker.com',
    topic: 'Other services',
    description: 'Docker Hub, for image search.',
  },
  TELEGRAM_API_URL: {
    schema: url.default('https://api.telegram.org'),
    defaultText: 'https://api.telegram.org',
    topic: 'Other services',
    description: 'Telegram Bot API, or your own Bot API server.',
  },
  PUSHOVER_API_URL: {
    schema: url.default('https://api.pushover.net'),
    defaultText: 'https://api.pushover.net',
    topic: 'Other services',
    description: 'Pushover API.',
  },
  HCLOUD_API_URL: {
    schema: url.default('https://api.hetzner.cloud'),
    defaultText: 'https://api.hetzner.cloud',
    topic: 'Cloud providers',
    description: 'Hetzner Cloud API.',
  },
  DIGITALOCEAN_API_URL: {
    schema: url.default('https://api.digitalocean.com'),
    defaultText: 'https://api.digitalocean.com',
    topic: 'Cloud providers',
    description: 'DigitalOcean API.',
  },
  VULTR_API_URL: {
    schema: url.default('https://api.vultr.com'),
    defaultText: 'https://api.vultr.com',
    topic: 'Cloud providers',
    description: 'Vultr API.',
  },
  CLOUD_TIMEOUT: {
    schema: seconds.default(900),
    defaultText: '900',
    topic: 'Cloud providers',
    description:
      'Seconds in which a created server must start and call Slipway at PUBLIC_URL; then its creation fails. Time in which the provider is unreachable is not counted.',
  },
  OUTBOUND_NETWORKS: {
    schema: z.string().transform(readNetworks).optional(),
    defaultText: '',
    topic: 'Access',
    description:
      'Private address ranges, comma-separated, that Slipway may connect to on behalf of users: servers, image registries and notification receivers in your own network. Registries and receivers in these ranges may use plain HTTP. Servers at loopback, link-local and metadata addresses are refused unless their range is listed. Every account can make Slipway query these addresses as an image registry, and workspace admins can make it send POST requests there, so list only what you need.',
  },
  OUTSIDE_TIMEOUT: {
    schema: seconds.default(10),
    defaultText: '10',
    topic: 'Other services',
    description: 'Request timeout, in seconds, for outside services such as GitHub.',
  },
} as const satisfies Record<
  string,
  { schema: z.ZodType; defaultText: string; topic: string; description: string }
>
