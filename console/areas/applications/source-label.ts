/** Whether it is made of a compose file. */
export const isCompose = (type: string) => type !== 'github' && type !== 'docker_image'

/** Any type but the two named ones means compose. */
export function sourceLabel(type: string): string {
  if (type === 'github') return 'GitHub'
  return isCompose(type) ? 'Compose' : 'Docker image'
}

interface Source {
  type: string
  services: readonly string[] | null
  repository: { name: string; branch: string } | null
}

/** "Compose · 3 services", "GitHub · octocat/hello" */
export function sourceWords({ type, services, repository }: Source): string {
  if (repository !== null) return `${sourceLabel(type)} · ${repository.name}`
  if (services === null) return sourceLabel(type)
  return `${sourceLabel(type)} · ${services.length} ${services.length === 1 ? 'service' : 'services'}`
}

/** What its releases are made of. */
export function madeOf(type: string): 'image' | 'compose' | 'repository' {
  if (type === 'github') return 'repository'
  return isCompose(type) ? 'compose' : 'image'
}

/** When what is built from a repository is deployed without anybody asking. */
export function deploysWords({ deploy_on: when, tags }: { deploy_on: string; tags: string }): string {
  if (when === 'push') return 'deploys at each push'
  if (when !== 'tag') return 'deploys only when asked to'
  return tags === '' ? 'deploys at each tag' : `deploys at each tag ${tags}`
}
