/** Whether it is made of a compose file. */
export const isCompose = (type: string) => type !== 'github' && type !== 'docker_image'

/** Any type but the two named ones means compose. */
export function sourceLabel(type: string): string {
  if (type === 'github') return 'GitHub'
  return isCompose(type) ? 'Compose' : 'Docker image'
}

/** "Compose · 3 services" */
export function sourceWords({
  type,
  services,
}: {
  type: string
  services: readonly string[] | null
}): string {
  if (services === null) return sourceLabel(type)
  return `${sourceLabel(type)} · ${services.length} ${services.length === 1 ? 'service' : 'services'}`
}
