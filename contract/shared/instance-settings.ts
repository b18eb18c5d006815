import { z } from 'zod'
import { text } from './text-fields.ts'
import { readSmtpUrl, smtpUrlRule } from './smtp-url.ts'
import { wholeNumber } from './numbers.ts'

const url = (protocol: RegExp, error: string) =>
  text(500)
    .trim()
    .pipe(z.url({ protocol, hostname: /./, error }))

const network = z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()], {
  error: 'Must be an IP address or a range such as 10.0.0.0/8.',
})

const sender = /^(?:[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/

export const instanceSettings = {
  signup: z.enum(['open', 'invite'], { error: 'Must be open or invite.' }),
  smtp_url: text(500)
    .trim()
    .refine((value) => readSmtpUrl(value) !== undefined, { error: `M${smtpUrlRule.slice(1)}.` }),
  // The length is checked first, because the pattern is slow for long text.
  mail_from: text(200, 3).refine((value) => value.length > 200 || sender.test(value), {
    error: 'Must be an email address, such as Slipway <slipway@example.com>.',
  }),
  acme_url: url(/^https?$/, 'Must be an http or https URL.'),
  private_servers: z.boolean({ error: 'Must be true or false.' }),
  allowed_networks: z.array(network).max(100, { error: 'Must have at most 100 ranges.' }),
  workspaces_per_user: wholeNumber(1, 1_000),
  invites_per_user_per_day: wholeNumber(1, 100_000),
  invites_per_instance_per_day: wholeNumber(1, 1_000_000),
  account_mails_per_instance_per_day: wholeNumber(1, 1_000_000),
  certificate_orders_per_workspace_per_hour: wholeNumber(1, 10_000),
} as const

export type SettingName = keyof typeof instanceSettings
