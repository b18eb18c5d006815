/** Any type but the two named ones means compose. */
export function sourceLabel(type: string): string {
  if (type === 'github') return 'GitHub'
  return type === 'docker_image' ? 'Docker image' : 'Compose'
}
