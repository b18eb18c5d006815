import type { Tone } from '../../ui/badge.tsx'
import type { Integration } from './queries.ts'
import { formatCount } from '../../../contract/shared/format-list.ts'

const providers: Record<string, string> = { github: 'GitHub' }

export const providerName = (provider: string) => providers[provider] ?? provider

export function integrationProblem({
  status,
  name,
}: Pick<Integration, 'status' | 'name'>): { tone: Tone; word: string; summary: string } | undefined {
  if (status === 'active') return undefined
  if (status === 'suspended')
    return {
      tone: 'yellow',
      word: 'Suspended',
      summary: `The GitHub App is suspended for ${name}. Builds and push to deploy are off until you unsuspend it on GitHub.`,
    }
  return {
    tone: 'red',
    word: 'Removed',
    summary: `The GitHub App was removed from ${name}. Builds and push to deploy are off until you reconnect the account.`,
  }
}

export const integrationUsageLabel = ({ repositories, applications }: Integration) =>
  [
    repositories === 'all' ? 'All repositories' : 'Selected repositories',
    applications === 0 ? 'no applications yet' : formatCount(applications, 'application'),
  ].join(' · ')
