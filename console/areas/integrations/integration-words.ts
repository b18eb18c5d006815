import type { Tone } from '../../ui/badge.tsx'
import type { Integration } from './queries.ts'

const providers: Record<string, string> = { github: 'GitHub' }

export const providerName = (provider: string) => providers[provider] ?? provider

/** Nothing is said of one that is as it should be. */
export function troubleOf({ status, name }: Pick<Integration, 'status' | 'name'>): Trouble | undefined {
  if (status === 'active') return undefined
  if (status === 'suspended')
    return {
      tone: 'yellow',
      word: 'Suspended',
      says: `Somebody suspended the App for ${name}: nothing is built and no push deploys until it is let in again at GitHub.`,
    }
  return {
    tone: 'red',
    word: 'Removed',
    says: `Somebody removed the App from ${name}: nothing is built and no push deploys until you connect it again.`,
  }
}

interface Trouble {
  tone: Tone
  word: string
  says: string
}

export const reachOf = ({ repositories, applications }: Integration) =>
  [
    repositories === 'all' ? 'All repositories' : 'Selected repositories',
    applications === 0
      ? 'no application yet'
      : `${applications} ${applications === 1 ? 'application' : 'applications'}`,
  ].join(' · ')
