/** A name for what is made of an image: `ghcr.io/acme/shop-api:2` is a shop-api. */
export function proposeName(image: string): string {
  const repository = image.trim().replace(/@.*$/, '')
  const last = repository.slice(repository.lastIndexOf('/') + 1)
  return last.replace(/:.*$/, '')
}
