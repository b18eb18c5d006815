import { z } from 'zod'
import { readNetworks, url } from './config-values.ts'

const secondsSay = 'must be a number of seconds above 0'
const seconds = z.coerce.number(secondsSay).positive(secondsSay)

/** Settings of the services that Slipway calls, but for GitHub, and of how it calls them. */
export const outsideVariables = {
  DOCKER_HUB_URL: {
    schema: url.default('https://hub.docker.com'),
    shown: 'https://hub.docker.com',
    says: 'Docker Hub, where images are searched for.',
  },
  TELEGRAM_API_URL: {
    schema: url.default('https://api.telegram.org'),
    shown: 'https://api.telegram.org',
    says: "Telegram's Bot API, or a Bot API server of your own.",
  },
  PUSHOVER_API_URL: {
    schema: url.default('https://api.pushover.net'),
    shown: 'https://api.pushover.net',
    says: "Pushover's API.",
  },
  HCLOUD_API_URL: {
    schema: url.default('https://api.hetzner.cloud'),
    shown: 'https://api.hetzner.cloud',
    says: "Hetzner Cloud's API.",
  },
  DIGITALOCEAN_API_URL: {
    schema: url.default('https://api.digitalocean.com'),
    shown: 'https://api.digitalocean.com',
    says: "DigitalOcean's API.",
  },
  VULTR_API_URL: {
    schema: url.default('https://api.vultr.com'),
    shown: 'https://api.vultr.com',
    says: "Vultr's API.",
  },
  CLOUD_TIMEOUT: {
    schema: seconds.default(900),
    shown: '900',
    says: 'Seconds that a cloud may take to start a server, and that server to call Slipway at PUBLIC_URL, before its creation counts as failed. The time in which the cloud itself does not answer is not counted.',
  },
  OUTBOUND_NETWORKS: {
    schema: z.string().transform(readNetworks).optional(),
    shown: '',
    says: 'Ranges of addresses, with commas, that Slipway connects to for its users although they are not public, such as 10.0.0.0/8: servers, image registries and receivers of notifications in your own network, the latter two without encryption too. Servers at loopback, link-local and metadata addresses are refused unless their range stands here. Everybody with an account, viewers too, can have Slipway ask any port of these addresses for what an image registry tells, and admins of a workspace can have it post there, so name no more than you need.',
  },
  OUTSIDE_TIMEOUT: {
    schema: seconds.default(10),
    shown: '10',
    says: 'Seconds that an outside service, such as GitHub, may take to answer.',
  },
} as const satisfies Record<string, { schema: z.ZodType; shown: string; says: string }>
