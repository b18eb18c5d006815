/** Suggests a name for an image: `ghcr.io/acme/shop-api:2` becomes shop-api. */
export function proposeName(image: string): string {
  const repository = image.trim().replace(/@.*$/, '')
  const last = repository.slice(repository.lastIndexOf('/') + 1)
  return last.replace(/:.*$/, '')
}
