/** How a registry wants to be asked. */
export type Challenge = { kind: 'basic' } | { kind: 'bearer'; realm: string; service: string }

/** Parses the challenges of a WWW-Authenticate header. */
export function readChallenge(header: string): Challenge | undefined {
  const bearer = /(?:^|,\s*)bearer\s+((?:[a-z_]+\s*=\s*(?:"[^"]*"|[^\s,"]+)\s*,?\s*)+)/i.exec(header)?.[1]
  if (bearer) {
    const { realm = '', service = '' } = Object.fromEntries(
      [...bearer.matchAll(/([a-z_]+)\s*=\s*(?:"([^"]*)"|([^\s,"]+))/gi)].map(
        ([, name = '', quoted, plain]) => [name.toLowerCase(), quoted ?? plain ?? ''],
      ),
    )
    return URL.canParse(realm) ? { kind: 'bearer', realm, service } : undefined
  }
  return /(?:^|,\s*)basic\b/i.test(header) ? { kind: 'basic' } : undefined
}
