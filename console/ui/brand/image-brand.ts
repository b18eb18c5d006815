const aliases: Readonly<Record<string, string>> = {
  actual: 'actualbudget',
  httpd: 'apache',
  firefly: 'fireflyiii',
  'gitlab-ce': 'gitlab',
  'gitlab-ee': 'gitlab',
  mongo: 'mongodb',
  node: 'nodedotjs',
  paperless: 'paperlessngx',
  plausible: 'plausibleanalytics',
  postgres: 'postgresql',
  traefik: 'traefikproxy',
  valkey: 'redis',
  wiki: 'wikidotjs',
}

/** Possible brands of an image name, the most specific first: `ghcr.io/immich-app/immich-server:v2` → immich-server, immich. */
export function imageBrands(image: string): string[] {
  const [path = ''] = image.replace(/@.*$/, '').split(/:(?=[^/]*$)/)
  const last = path.split('/').at(-1)?.toLowerCase() ?? ''
  const words = last.split(/[-_.]/)
  return [last, last.replaceAll(/[-_.]/g, ''), words[0] ?? ''].map((name) => aliases[name] ?? name)
}
