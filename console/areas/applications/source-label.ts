import { formatCount } from '../../../contract/shared/format-list.ts'

export const isCompose = (type: string) => type !== 'github' && type !== 'docker_image'

export function sourceLabel(type: string): string {
  if (type === 'github') return 'GitHub'
  return isCompose(type) ? 'Compose' : 'Docker image'
}

interface Source {
  type: string
  services: readonly string[] | null
  repository: { name: string; branch: string } | null
}

export function sourceSummary({ type, services, repository }: Source): string {
  if (repository !== null) return `${sourceLabel(type)} · ${repository.name}`
  if (services === null) return sourceLabel(type)
  return `${sourceLabel(type)} · ${formatCount(services.length, 'service')}`
}

export function sourceKind(type: string): 'image' | 'compose' | 'repository' {
  if (type === 'github') return 'repository'
  return isCompose(type) ? 'compose' : 'image'
}

export function triggerLabel({ deploy_on: when, tags }: { deploy_on: string; tags: string }): string {
  if (when === 'push') return 'deploys on every push'
  if (when !== 'tag') return 'manual deployments'
  return tags === '' ? 'deploys on every tag' : `deploys on tags ${tags}`
}
