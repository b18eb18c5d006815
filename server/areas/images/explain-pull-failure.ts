import { readImageLocation, registryTitle } from '../registries/image-registry.ts'

const reasons: [RegExp, (name: string, registry: string, credentials: string | undefined) => string][] = [
  [
    /no space left on device/i,
    (name) => `The disk of the server is full. Free up space, then pull ${name} again.`,
  ],
  [
    /toomanyrequests|rate limit/i,
    (_, registry) => `${registry} limits the pulls of this server. Try again later.`,
  ],
  [
    /incorrect username or password|no basic auth credentials|unauthorized|authentication required|access forbidden|status 401|status 403/i,
    (name, registry, credentials) =>
      credentials === undefined
        ? `${registry} requires credentials for ${name}, and the workspace has none. Make the image public, or add credentials under Integrations → Image registries.`
        : `${registry} rejected the credentials “${credentials}” for ${name}. They may be wrong, expired or limited to other images. Test and edit them under Integrations → Image registries.`,
  ],
  [
    /repository does not exist or may require|pull access denied|(?<!permission )denied:/i,
    (name, registry, credentials) =>
      credentials === undefined
        ? `${registry} has no image ${name}, or the image is private. Check the name, or add credentials under Integrations → Image registries.`
        : `${registry} has no image ${name}, or the credentials “${credentials}” cannot read it. Check the name and the access of the credentials.`,
  ],
  [
    /no matching manifest for (\S+)/i,
    (name) => `${name} is not built for the architecture of this server. Choose another image or tag.`,
  ],
  [
    /manifest unknown|manifest for .* not found|name unknown|not found/i,
    (name, registry) => `${registry} has no image ${name}. Check the name and the tag.`,
  ],
  [
    /server gave HTTP response to HTTPS client|x509:|tls:/i,
    (_, registry) =>
      `${registry} has no certificate that the server trusts. Install a trusted certificate, or add the registry to insecure-registries in the Docker configuration of the server.`,
  ],
  [
    /no such host|server misbehaving/i,
    (_, registry) =>
      `The server cannot resolve ${inSentence(registry)}. Check the name and the DNS settings of the server.`,
  ],
  [
    /connection refused|no route to host|network is unreachable|i\/o timeout|Client\.Timeout|deadline exceeded|connection reset|EOF$/i,
    (_, registry) =>
      `The server cannot reach ${inSentence(registry)}. Check that the registry is running and that no firewall blocks it.`,
  ],
]

export function explainPullFailure(name: string, dockerMessage: string, credentials?: string): string {
  const registry = registryTitle(readImageLocation(name).host)
  const match = reasons.find(([pattern]) => pattern.test(dockerMessage))
  const dockerError = withoutQueries(dockerMessage).trim().replace(/\.?$/, '.')
  return match
    ? `${match[1](name, registry, credentials)} Docker error: ${dockerError}`
    : `Docker could not pull ${name}: ${dockerError}`
}

export const pullStalledMessage = (name: string) =>
  `The pull of ${name} made no progress for a minute and was stopped. The registry or the network may be overloaded. Try again; finished layers are not downloaded again.`

const inSentence = (registry: string) => registry.replace(/^The/, 'the')

/** Signed URLs carry secrets in the query, so queries are removed. */
const withoutQueries = (message: string) => message.replace(/(https?:\/\/[^\s"?]+)\?[^\s"]*/g, '$1')
