import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { z } from 'zod'

interface Variable {
  schema: z.ZodType
  description: string
  /** The default as the documentation shows it, in parentheses unless it is a literal value. */
  defaultText?: string
}

export function topic<T extends Record<string, Variable>>(heading: string, variables: T) {
  const entries = Object.entries(variables).map(([name, variable]) => [
    name,
    { defaultText: '', ...variable, topic: heading },
  ])
  // The assertion adds the names of the variables, which `fromEntries` loses.
  return Object.fromEntries(entries) as {
    [K in keyof T]: Pick<T[K], 'schema'> & Record<'topic' | 'defaultText' | 'description', string>
  }
}

const secondsRule = 'must be a number of seconds above 0'
export const seconds = z.coerce.number(secondsRule).positive(secondsRule)

function isUrl(protocol: RegExp) {
  return (value: string) => protocol.test(value) && URL.canParse(value) && new URL(value).hostname !== ''
}

export const url = z
  .string()
  .trim()
  .refine(isUrl(/^https?:\/\//), 'must be an http or https URL')
  .transform((value) => value.replace(/\/+$/, ''))

export function isRootUrl(value: string) {
  const { pathname, search, hash } = new URL(value)
  return pathname === '/' && search === '' && hash === ''
}

export function areProxyAddresses(value: string) {
  return value.split(',').every((network) => {
    const [address = '', bits = '1', ...more] = network.trim().split('/')
    if (['loopback', 'linklocal', 'uniquelocal'].includes(network.trim())) return true
    const most = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0
    return more.length === 0 && /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most
  })
}

export function readNetworks(value: string, problems: z.RefinementCtx): string[] {
  const networks = value.split(',').map((network) => network.trim())
  const isOne = (network: string) => {
    const [address = '', bits, ...more] = network.split('/')
    const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
    return (
      most > 0 &&
      more.length === 0 &&
      (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
    )
  }
  if (networks.every(isOne)) return networks
  problems.addIssue('must be IP addresses or ranges such as 10.0.0.0/8, comma-separated')
  return z.NEVER
}

export function isDnsServer(value: string) {
  const [, address = value, port = '53'] = /^\[?([^\]]+?)\]?:(\d{1,5})$/.exec(isIP(value) ? '' : value) ?? []
  return isIP(address) !== 0 && Number(port) > 0 && Number(port) <= 65_535
}

export function readMasterKeys(value: string, problems: z.RefinementCtx): [Buffer, ...Buffer[]] {
  const [first, ...others] = value.split(',').map((key) => Buffer.from(key.trim(), 'base64'))
  if (!first || [first, ...others].some((key) => key.length !== 32)) {
    problems.addIssue('must be 32 bytes in base64 (openssl rand -base64 32)')
    return z.NEVER
  }
  return [first, ...others]
}

/** Accepts PEM, also with literal \n, base64-encoded PEM, or the path of a PEM file. */
export function readPrivateKey(value: string, problems: z.RefinementCtx): string {
  try {
    const text = value.includes('-----BEGIN')
      ? value
      : /^[./]/.test(value)
        ? readFileSync(value, 'utf8')
        : decoded(value)
    const pem = text.replaceAll('\\n', '\n')
    if (createPrivateKey(pem).asymmetricKeyType === 'rsa') return pem
  } catch {
    // The error is not reported, because it could contain the key.
  }
  problems.addIssue(
    'must be the private key of the GitHub App: PEM, base64-encoded PEM, or the path of a PEM file',
  )
  return z.NEVER
}

const decoded = (value: string) => Buffer.from(value, 'base64').toString('utf8')

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

export function readPlans(value: string, problems: z.RefinementCtx): ConfiguredPlan[] {
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
