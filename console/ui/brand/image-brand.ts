const aliases: Readonly<Record<string, string>> = {
  actual: 'actualbudget',
  alpine: 'alpinelinux',
  eclipse: 'openjdk',
  httpd: 'apache',
  firefly: 'fireflyiii',
  'gitlab-ce': 'gitlab',
  'gitlab-ee': 'gitlab',
  golang: 'go',
  'home-assistant': 'homeassistant',
  kafka: 'apachekafka',
  mongo: 'mongodb',
  next: 'nextdotjs',
  node: 'nodedotjs',
  paperless: 'paperlessngx',
  plausible: 'plausibleanalytics',
  pgadmin: 'postgresql',
  pgadmin4: 'postgresql',
  pgvector: 'postgresql',
  postgis: 'postgresql',
  postgres: 'postgresql',
  stirling: 'stirlingpdf',
  traefik: 'traefikproxy',
  wiki: 'wikidotjs',
}

/**
 * Returns the possible brands of an image, the most specific first: `ghcr.io/immich-app/immich-server:v2` →
 * immich-server, immich.
 */
export function imageBrands(image: string): string[] {
  const [path = ''] = image.replace(/@.*$/, '').split(/:(?=[^/]*$)/)
  const last = path.split('/').at(-1)?.toLowerCase() ?? ''
  const words = last.split(/[-_.]/)
  return [last, last.replaceAll(/[-_.]/g, ''), words[0] ?? ''].map((name) => aliases[name] ?? name)
}
