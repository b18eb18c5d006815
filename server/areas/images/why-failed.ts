import { placeOf, titleOf } from '../registries/image-place.ts'

/** What Docker says when it cannot pull, and what a person reads of it. The first that fits. */
const reasons: [RegExp, (name: string, registry: string, credentials: string | undefined) => string][] = [
  [
    /no space left on device/i,
    (name) =>
      `The disk of the server is full, so ${name} does not fit on it. Free some space, then pull it again.`,
  ],
  [
    /toomanyrequests|rate limit/i,
    (_, registry) => `${registry} takes no more pulls from this server for now. Try again later.`,
  ],
  [
    /incorrect username or password|no basic auth credentials|unauthorized|authentication required|access forbidden|status 401|status 403/i,
    (name, registry, credentials) =>
      credentials === undefined
        ? `${registry} asks for a log-in before it gives ${name}, and the workspace has no credentials for it. Make the image public, or add credentials in Integrations, under Image registries.`
        : `${registry} did not give ${name} for the credentials “${credentials}” of the workspace. They may be wrong or have expired, or do not reach this image. Test and correct them in Integrations, under Image registries.`,
  ],
  [
    /repository does not exist or may require|pull access denied|(?<!permission )denied:/i,
    (name, registry, credentials) =>
      credentials === undefined
        ? `${registry} has no image ${name}, or asks for a log-in before it says so. Check the name; if it is private, add credentials in Integrations, under Image registries.`
        : `${registry} has no image ${name}, or does not give it for the credentials “${credentials}” of the workspace. Check the name, and what the credentials may read.`,
  ],
  [
    /no matching manifest for (\S+)/i,
    (name) =>
      `There is no ${name} for the processor of this server. Choose an image or a tag that is built for it.`,
  ],
  [
    /manifest unknown|manifest for .* not found|name unknown|not found/i,
    (name, registry) => `${registry} has no image ${name}. Check its name and its tag.`,
  ],
  [
    /server gave HTTP response to HTTPS client|x509:|tls:/i,
    (_, registry) =>
      `${registry} has no certificate that the server trusts. Give the registry one, or allow it in the configuration of Docker on the server.`,
  ],
  [
    /no such host|server misbehaving/i,
    (_, registry) =>
      `The server finds no address for ${inSentence(registry)}. Check the name, and that the server can look up names.`,
  ],
  [
    /connection refused|no route to host|network is unreachable|i\/o timeout|Client\.Timeout|deadline exceeded|connection reset|EOF$/i,
    (_, registry) =>
      `The server cannot reach ${inSentence(registry)}. Check that the registry runs, and that the server is let through to it.`,
  ],
]

/** Docker's own words as a sentence; `credentials` is the name of those that it was given. */
export function whyFailed(name: string, words: string, credentials?: string): string {
  const registry = titleOf(placeOf(name).host)
  const found = reasons.find(([pattern]) => pattern.test(words))
  const said = withoutQueries(words).trim().replace(/\.?$/, '.')
  return found
    ? `${found[1](name, registry, credentials)} Docker says: ${said}`
    : `Docker could not pull ${name}: ${said}`
}

export const stalled = (name: string) =>
  `Nothing more came of ${name} for a minute, so the pull was given up. The registry, or the way to it, may be overloaded. Try again; what was finished is not pulled twice.`

const inSentence = (registry: string) => registry.replace(/^The/, 'the')

/** Signed addresses carry secrets behind the question mark. */
const withoutQueries = (words: string) => words.replace(/(https?:\/\/[^\s"?]+)\?[^\s"]*/g, '$1')
