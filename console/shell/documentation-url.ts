/** Sections of the API reference for pages of the console. The first match counts. */
const sections: [page: RegExp, section: string][] = [
  [/^\/dashboard\/applications\/[^/]+\/environment/, 'application-entries'],
  [/^\/dashboard\/applications\/[^/]+\/networking/, 'domains'],
  [/^\/dashboard\/applications\/[^/]+\/(deployments|logs|metrics)/, '$1'],
  [/^\/dashboard\/servers\/[^/]+\/containers\/[^/]+\/(logs|commands)/, '$1'],
  [/^\/dashboard\/servers\/[^/]+\/(?:containers\/[^/]+\/)?terminal/, 'terminals'],
  [/^\/dashboard\/servers\/[^/]+\/(containers|images|commands)/, '$1'],
  [/^\/dashboard\/import/, 'imports'],
  [/^\/dashboard\/integrations\/deliveries/, 'webhooks'],
  [/^\/dashboard\/notifications\/channels/, 'notifications'],
  [/^\/dashboard\/notifications/, 'alerts'],
  [/^\/dashboard\/workspace\/(domains|audit|api-tokens)/, '$1'],
  [/^\/dashboard\/workspace/, 'workspaces'],
  [/^\/dashboard\/settings\/(cloud-tokens|api-tokens|registries)/, '$1'],
  [/^\/dashboard\/settings/, 'user'],
  [/^\/dashboard\/(projects|servers|applications|templates|integrations|billing|instance)/, '$1'],
]

/**
 * Returns the documentation for a page. Only the built-in API reference has sections; other documentation opens at its
 * start.
 */
export function documentationUrl(url: string, page: string): string {
  if (url !== '/docs') return url
  for (const [pattern, section] of sections) {
    const match = pattern.exec(page)
    if (match) return `${url}#${section.replace('$1', match[1] ?? '')}`
  }
  return url
}
