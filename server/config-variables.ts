import { z } from 'zod'
import { readSmtpUrl, smtpUrlRule } from '../contract/shared/smtp-url.ts'
import {
  areProxyAddresses,
  topic,
  isDnsServer,
  isRootUrl,
  readMasterKeys,
  readNetworks,
  url,
} from './config-values.ts'
import { outsideVariables } from './outside-variables.ts'

const portRule = 'must be a number from 0 to 65535'
const port = z
  .string()
  .regex(/^\d{1,5}$/, portRule)
  .transform(Number)
  .refine((value) => value <= 65_535, portRule)
const emailsRule = 'must be a whole number of at least 20'
const optional = <S extends z.ZodType>(schema: S) => schema.optional()

/** `npm run docs` writes docs/configuration.md from these variables. */
export const configVariables = {
  ...topic('Server', {
    PORT: {
      schema: port.default(4000),
      defaultText: '4000',
      description: 'Port to listen on.',
    },
    HOST: {
      schema: z.string().min(1).default('127.0.0.1'),
      defaultText: '127.0.0.1',
      description: 'Address to listen on. Use 0.0.0.0 to listen on all interfaces.',
    },
    PUBLIC_URL: {
      schema: optional(url.refine(isRootUrl, 'must be an http or https URL without a path')),
      defaultText: 'http://localhost:PORT',
      description: 'URL of the console. Used for links in emails and invites.',
    },
    ROLE: {
      schema: z.enum(['all', 'web', 'worker'], { error: 'must be all, web or worker' }).default('all'),
      defaultText: 'all',
      description:
        'Role of this process: `web` serves requests, `worker` runs jobs, `all` does both. Several processes need DATABASE_URL and the same SECRET_KEY.',
    },
    TRUST_PROXY: {
      schema: optional(
        z
          .string()
          .refine(
            areProxyAddresses,
            'must be IP addresses, ranges such as 10.0.0.0/8, loopback, linklocal or uniquelocal, comma-separated',
          ),
      ),
      description:
        'Addresses or ranges of reverse proxies in front of Slipway, comma-separated. Their X-Forwarded-For header is trusted.',
    },
    CORS_ORIGINS: {
      schema: optional(z.string().min(1)),
      description: 'Additional origins, comma-separated, whose pages can call the API.',
    },
    DOCUMENTATION_URL: {
      schema: z.string().min(1).default('/docs'),
      defaultText: '/docs',
      description: 'Target of the Documentation link.',
    },
    LOG_LEVEL: {
      schema: z
        .enum(['debug', 'info', 'warn', 'error'], { error: 'must be debug, info, warn or error' })
        .default('info'),
      defaultText: 'info',
      description: 'Lowest level that is logged: debug, info, warn or error.',
    },
  }),
  ...topic('Data', {
    DATA_DIR: {
      schema: z.string().min(1).default('./data'),
      defaultText: './data',
      description: 'Folder of the embedded database and the key file.',
    },
    DATABASE_URL: {
      schema: optional(z.string().regex(/^postgres(ql)?:\/\//, 'must start with postgres://')),
      defaultText: '(embedded database)',
      description: 'External PostgreSQL (15 or newer) to use instead of the embedded database.',
    },
    PG_BIN: {
      schema: optional(z.string().min(1)),
      description: 'Folder of other PostgreSQL binaries for the embedded database.',
    },
    SECRET_KEY: {
      schema: optional(z.string().transform(readMasterKeys)),
      defaultText: '(key file in DATA_DIR)',
      description:
        '32 bytes in base64 that encrypt secrets at rest. To rotate: set the new key, a comma and the old key; restart; run `npm run admin -- reseal`; remove the old key.',
    },
  }),
  ...topic('Access', {
    SIGNUP: {
      schema: optional(z.enum(['open', 'invite'], { error: 'must be open or invite' })),
      defaultText: 'invite',
      description:
        'Who can sign up: anyone (`open`) or only invited users (`invite`). The first account can always be created. It needs the setup link that Slipway prints at startup, unless signup is open or only this machine can reach Slipway (HOST and PUBLIC_URL are loopback and TRUST_PROXY is not set).',
    },
    PRIVATE_SERVERS: {
      schema: optional(z.enum(['allow', 'refuse'], { error: 'must be allow or refuse' })),
      defaultText: '(allow, unless signup is open)',
      description: 'Whether servers at private addresses, such as 10.0.0.0/8, can be added.',
    },
    OUTBOUND_NETWORKS: {
      schema: z.string().transform(readNetworks).optional(),
      description:
        'Private address ranges, comma-separated, that Slipway may connect to on behalf of users: servers, image registries and notification receivers in your own network. Registries and receivers in these ranges may use plain HTTP. Servers at loopback, link-local and metadata addresses are refused unless their range is listed. Every account can make Slipway query these addresses as an image registry, and workspace admins can make it send POST requests there, so list only what you need.',
    },
  }),
  ...topic('Servers and proxy', {
    LOCAL_SERVER: {
      schema: z.enum(['auto', 'off'], { error: 'must be auto or off' }).default('auto'),
      defaultText: 'auto',
      description:
        'Whether instance owners can add the machine that Slipway runs on as a server. Needs access to the Docker socket of that machine, or root.',
    },
    DOCKER_SOCKET: {
      schema: z.string().startsWith('/', 'must be a path').default('/var/run/docker.sock'),
      defaultText: '/var/run/docker.sock',
      description: 'Docker socket of the machine that Slipway runs on.',
    },
    PROXY_IMAGE: {
      schema: z.string().min(1).default('haproxy:3.2-alpine'),
      defaultText: 'haproxy:3.2-alpine',
      description:
        'Image of the proxy that setup starts on a server: HAProxy 2.6 or newer. An image that is already on the server is not pulled.',
    },
  }),
  ...topic('Domains and certificates', {
    ACME_URL: {
      schema: optional(url),
      defaultText: 'https://acme-v02.api.letsencrypt.org/directory',
      description:
        "Directory URL of the certificate authority (ACME). By using Let's Encrypt, the default, you accept its terms of service.",
    },
    ACME_EMAIL: {
      schema: optional(z.email('must be an email address')),
      description: 'Contact address for the certificate authority.',
    },
    ACME_CA_FILE: {
      schema: optional(z.string().min(1)),
      description: 'PEM file with the root certificate of a private certificate authority.',
    },
    DNS_SERVER: {
      schema: optional(z.string().refine(isDnsServer, 'must be an IP address, with a port if needed')),
      defaultText: '(system resolver)',
      description: 'DNS server that resolves domains for checks, such as 1.1.1.1 or 127.0.0.1:5353.',
    },
    WILDCARD_DOMAIN: {
      schema: optional(
        z
          .string()
          .toLowerCase()
          .regex(
            /^(?=.{4,200}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
            'must be a domain such as apps.example.com, without *',
          ),
      ),
      description:
        'Domain with a wildcard DNS record that points to your server. Applications get generated URLs below it, such as shop.apps.example.com, and other names below it cannot be chosen. Without it, generated URLs use sslip.io.',
    },
  }),
  ...topic('Email', {
    SMTP_URL: {
      schema: optional(z.string().refine((value) => readSmtpUrl(value) !== undefined, smtpUrlRule)),
      description:
        'SMTP server, such as smtp://user:password@host:587. Without it no email is sent and email addresses count as verified.',
    },
    MAIL_FROM: {
      schema: optional(z.string().min(3, 'must be an address')),
      defaultText: 'Slipway <slipway@localhost>',
      description: 'Sender of emails.',
    },
    MAIL_OUTSIDE_LIMIT: {
      schema: z.coerce.number(emailsRule).int(emailsRule).min(20, emailsRule).default(100),
      defaultText: '100',
      description:
        'Maximum number of alert and notification emails per workspace and hour to addresses that do not belong to members.',
    },
    OPERATOR_EMAIL: {
      schema: optional(z.email('must be an email address')),
      description:
        'Email address that receives feedback from the console. Feedback is also stored: `npm run admin -- feedback` lists it.',
    },
  }),
  ...outsideVariables,
}
