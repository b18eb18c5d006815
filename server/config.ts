import { resolve } from 'node:path'
import type { z } from 'zod'
import { configVariables } from './config-variables.ts'

type Variables = typeof configVariables
type Values = { [K in keyof Variables]: z.output<Variables[K]['schema']> }

export interface Config extends Omit<Values, 'PUBLIC_URL' | 'GITHUB_API_URL'> {
  PUBLIC_URL: string
  GITHUB_API_URL: string
}

export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const problems: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, variable] of Object.entries(configVariables)) {
    const value = env[name]
    const read = variable.schema.safeParse(value === '' ? undefined : value)
    if (read.success) values[name] = read.data
    else problems.push(`${name} ${read.error.issues.map((issue) => issue.message).join(', ')}.`)
  }
  // Each value was parsed by its schema. If one is missing, the problem is reported below.
  const config = values as unknown as Values
  if (Boolean(config.GITHUB_CLIENT_ID) !== Boolean(config.GITHUB_CLIENT_SECRET))
    problems.push('GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET must be set together.')
  const ofApp = [
    'GITHUB_APP_ID',
    'GITHUB_APP_PRIVATE_KEY',
    'GITHUB_WEBHOOK_SECRET',
    'GITHUB_CLIENT_ID',
  ] as const
  if (ofApp.slice(0, 3).some((name) => env[name]) && !ofApp.every((name) => env[name]))
    problems.push(
      'GITHUB_APP_ID, GITHUB_APP_PRIVATE_KEY, GITHUB_WEBHOOK_SECRET, GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET must be set together.',
    )
  const ofStripe = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'PLANS'] as const
  if (ofStripe.some((name) => env[name]) && !ofStripe.every((name) => env[name]))
    problems.push('STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET and PLANS must be set together.')
  if (config.ROLE && config.ROLE !== 'all' && !config.DATABASE_URL)
    problems.push(
      'ROLE=web and ROLE=worker need DATABASE_URL: the embedded database supports one process only.',
    )
  if (problems.length > 0)
    throw new Error(`Invalid configuration:\n${problems.map((line) => `  ${line}`).join('\n')}`)
  return {
    ...config,
    DATA_DIR: resolve(config.DATA_DIR),
    PUBLIC_URL: config.PUBLIC_URL ?? `http://localhost:${config.PORT}`,
    GITHUB_API_URL: config.GITHUB_API_URL ?? gitHubApiUrl(config.GITHUB_URL),
  }
}

const gitHubApiUrl = (github: string) =>
  github === 'https://github.com' ? 'https://api.github.com' : `${github}/api/v3`
