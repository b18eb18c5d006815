import { z } from 'zod'
import { readSmtpUrl, smtpUrlRule } from '../contract/smtp-url.ts'
import { areProxies, isDnsServer, isRoot, readKeys, readPrivateKey, url } from './config-values.ts'
import { billingVariables } from './billing-variables.ts'
import { outsideVariables } from './outside-variables.ts'

const portSays = 'must be a number from 0 to 65535'
const port = z
  .string()
  .regex(/^\d{1,5}$/, portSays)
  .transform(Number)
  .refine((value) => value <= 65_535, portSays)
const lettersSay = 'must be a whole number of at least 20'
const optional = <S extends z.ZodType>(schema: S) => schema.optional()

/** Every setting: how it is read, its default as shown, and what it is for. The README's table is made from this. */
export const variables = {
  PORT: { schema: port.default(4000), shown: '4000', says: 'Port to listen on.' },
  HOST: {
    schema: z.string().min(1).default('127.0.0.1'),
    shown: '127.0.0.1',
    says: 'Address to listen on; 0.0.0.0 for all.',
  },
  PUBLIC_URL: {
    schema: optional(url.refine(isRoot, 'must be an http or https URL without a path')),
    shown: 'http://localhost:PORT',
    says: 'Where people reach the console; links in mails and invites begin with it.',
  },
  DATA_DIR: {
    schema: z.string().min(1).default('./data'),
    shown: './data',
    says: 'Folder of the embedded database and the key file.',
  },
  DATABASE_URL: {
    schema: optional(z.string().regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')),
    shown: '(embedded)',
    says: 'An external PostgreSQL (15 or newer) instead of the embedded one.',
  },
  PG_BIN: {
    schema: optional(z.string().min(1)),
    shown: '',
    says: 'Folder of other PostgreSQL programs for the embedded database.',
  },
  ROLE: {
    schema: z.enum(['all', 'web', 'worker'], { error: 'must be all, web or worker' }).default('all'),
    shown: 'all',
    says: 'What this process does: serve, work, or both. Several processes need DATABASE_URL and the same SECRET_KEY.',
  },
  SECRET_KEY: {
    schema: optional(z.string().transform(readKeys)),
    shown: '(key file)',
    says: '32 bytes in base64 that seal secrets at rest. To rotate: the new one, a comma, the old one; restart; `npm run admin -- reseal`; remove the old one.',
  },
  SIGNUP: {
    schema: optional(z.enum(['open', 'invite'], { error: 'must be open or invite' })),
    shown: 'invite',
    says: 'Who can sign up: everybody (open), or only people who were invited. The first account can always be created; unless only this machine reaches Slipway (`HOST` and `PUBLIC_URL` are loopback, no `TRUST_PROXY`) or this is `open`, that takes the set-up link which the start prints.',
  },
  PRIVATE_SERVERS: {
    schema: optional(z.enum(['allow', 'refuse'], { error: 'must be allow or refuse' })),
    shown: '(allow while sign-up is by invite)',
    says: 'Whether servers at private addresses, such as 10.0.0.0/8, can be added and are connected to.',
  },
  TRUST_PROXY: {
    schema: optional(
      z
        .string()
        .refine(
          areProxies,
          'must be IP addresses, ranges such as 10.0.0.0/8, loopback, linklocal or uniquelocal, with commas',
        ),
    ),
    shown: '',
    says: 'Addresses of proxies in front of Slipway, with commas, whose X-Forwarded-For is believed.',
  },
  CORS_ORIGINS: {
    schema: optional(z.string().min(1)),
    shown: '',
    says: 'Other origins, with commas, whose pages may call the API.',
  },
  DOCUMENTATION_URL: {
    schema: z.string().min(1).default('/docs'),
    shown: '/docs',
    says: 'Where the Documentation link leads.',
  },
  LOCAL_SERVER: {
    schema: z.enum(['auto', 'off'], { error: 'must be auto or off' }).default('auto'),
    shown: 'auto',
    says: 'Whether instance owners are offered to add the machine that Slipway runs on as a server (auto). Needs its Docker socket, or root.',
  },
  DOCKER_SOCKET: {
    schema: z.string().startsWith('/', 'must be a path').default('/var/run/docker.sock'),
    shown: '/var/run/docker.sock',
    says: 'Docker of the machine that Slipway runs on.',
  },
  PROXY_IMAGE: {
    schema: z.string().min(1).default('haproxy:3.2-alpine'),
    shown: 'haproxy:3.2-alpine',
    says: 'Image of the proxy that set-up starts on a server: HAProxy, any from 2.6 on. One that the server has already is not pulled.',
  },
  ACME_URL: {
    schema: optional(url),
    shown: 'https://acme-v02.api.letsencrypt.org/directory',
    says: "Directory of the certificate authority (ACME) that certificates come from; Let's Encrypt unless told. Whoever runs Slipway agrees to its terms.",
  },
  ACME_EMAIL: {
    schema: optional(z.email('must be an email address')),
    shown: '',
    says: 'Where the certificate authority may write to.',
  },
  ACME_CA_FILE: {
    schema: optional(z.string().min(1)),
    shown: '',
    says: 'File with the root certificate, in PEM, by which a private certificate authority itself is trusted.',
  },
  DNS_SERVER: {
    schema: optional(z.string().refine(isDnsServer, 'must be an IP address, with a port if needed')),
    shown: "(the system's)",
    says: 'DNS server that is asked where a domain points, as 1.1.1.1 or 127.0.0.1:5353.',
  },
  WILDCARD_DOMAIN: {
    schema: optional(
      z
        .string()
        .toLowerCase()
        .regex(
          /^(?=.{4,200}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
          'must be a domain such as apps.example.com, without a star',
        ),
    ),
    shown: '',
    says: 'A domain of which every name leads to your server: applications get addresses below it, such as shop.apps.example.com, and nobody can choose other names there. Without it they get one of sslip.io.',
  },
  LOG_LEVEL: {
    schema: z
      .enum(['debug', 'info', 'warn', 'error'], { error: 'must be debug, info, warn or error' })
      .default('info'),
    shown: 'info',
    says: 'How much is logged.',
  },
  SMTP_URL: {
    schema: optional(z.string().refine((value) => readSmtpUrl(value) !== undefined, smtpUrlRule)),
    shown: '',
    says: 'Mail server, as smtp://user:password@host:587. Without it nothing is mailed and addresses count as verified.',
  },
  MAIL_FROM: {
    schema: optional(z.string().min(3, 'must be an address')),
    shown: 'Slipway <slipway@localhost>',
    says: 'Sender of mails.',
  },
  MAIL_OUTSIDE_LIMIT: {
    schema: z.coerce.number(lettersSay).int(lettersSay).min(20, lettersSay).default(100),
    shown: '100',
    says: 'Letters of alerts and notifications that a workspace may send in an hour to people who are not its members: anybody with an account can name any address.',
  },
  OPERATOR_EMAIL: {
    schema: optional(z.email('must be an email address')),
    shown: '',
    says: 'Where the feedback that people send from the console is mailed to. It is kept in any case: `npm run admin -- feedback` shows it.',
  },
  GITHUB_CLIENT_ID: {
    schema: optional(z.string().min(1)),
    shown: '',
    says: 'Sign-in with GitHub: the client id of the OAuth app, or of the GitHub App whose keys follow.',
  },
  GITHUB_CLIENT_SECRET: {
    schema: optional(z.string().min(1)),
    shown: '',
    says: 'Sign-in with GitHub: the client secret.',
  },
  GITHUB_APP_ID: {
    schema: optional(
      z
        .string()
        .trim()
        .regex(/^\d{1,15}$/, 'must be a number')
        .transform(Number),
    ),
    shown: '(made in the console)',
    says: 'The GitHub App that builds from repositories: its number. It goes with the client id and secret of the same App, its private key and its webhook secret; without them the console makes one with a click. Callback URLs of the App are PUBLIC_URL/dashboard/integrations/github/callback, first, and PUBLIC_URL/login/success; its webhook URL is PUBLIC_URL/v1/events/github.',
  },
  GITHUB_APP_PRIVATE_KEY: {
    schema: optional(z.string().trim().transform(readPrivateKey)),
    shown: '',
    says: 'Its private key in PEM, that in base64, or the path of its file.',
  },
  GITHUB_WEBHOOK_SECRET: {
    schema: optional(z.string().min(8, 'must have at least 8 characters')),
    shown: '',
    says: 'Its webhook secret.',
  },
  GITHUB_URL: {
    schema: url.default('https://github.com'),
    shown: 'https://github.com',
    says: 'GitHub, or a GitHub Enterprise server.',
  },
  GITHUB_API_URL: {
    schema: optional(url),
    shown: 'https://api.github.com',
    says: "Its API's base URL; of a GitHub Enterprise server it is GITHUB_URL/api/v3 unless told.",
  },
  ...outsideVariables,
  ...billingVariables,
} as const satisfies Record<string, { schema: z.ZodType; shown: string; says: string }>
