import { lookup as lookUp, type LookupAddress, type LookupAllOptions } from 'node:dns'
import * as http from 'node:http'
import * as https from 'node:https'
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net'
import { isPublicAddress } from './address-range.ts'

export class BlockedAddress extends Error {}
export class ResponseTooLarge extends Error {}
export class RedirectRefused extends Error {}

export type LookupAddresses = (
  name: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

export interface SafeFetchOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers?: Record<string, string>
  body?: string
  timeout: number
  maxBytes?: number
  truncate?: boolean
  keepRedirect?: boolean
  /** Allows public addresses without encryption, for calls without secrets. */
  allowHttp?: boolean
  signal?: AbortSignal
  allowedNetworks: readonly string[]
  /** Origin that the operator configured, so its address is not checked. */
  trustedOrigin?: string
  lookup?: LookupAddresses
  /** Trusted certificate authorities, which replace those of Node. */
  ca?: string[]
}

export interface FetchReply {
  status: number
  headers: http.IncomingHttpHeaders
  bytes: Buffer
  text: string
  url: URL
}

const maxRedirects = 3
const megabyte = 1024 ** 2

/**
 * Calls a URL that a user entered, and prevents SSRF: addresses are checked when a connection is opened, also after
 * redirects, so DNS rebinding has no effect.
 */
export async function safeFetch(url: URL, call: SafeFetchOptions): Promise<FetchReply> {
  const limit = AbortSignal.timeout(call.timeout)
  const signal = call.signal ? AbortSignal.any([limit, call.signal]) : limit
  const method = call.method ?? 'GET'
  let current = url
  let headers = call.headers ?? {}
  for (let redirects = 0; ; redirects++) {
    const answer = await sendRequest(current, { ...call, headers }, signal)
    const to = answer.headers.location
    if (call.keepRedirect || ![301, 302, 303, 307, 308].includes(answer.status) || !to) return answer
    if (redirects === maxRedirects || method !== 'GET' || !URL.canParse(to, current.href))
      throw new RedirectRefused('it redirects too often or to an invalid URL')
    const next = new URL(to, current)
    if (current.protocol === 'https:' && next.protocol !== 'https:')
      throw new RedirectRefused('it redirects to an unencrypted URL')
    // Credentials are not forwarded to another origin.
    if (next.origin !== current.origin) headers = withoutSecrets(headers)
    current = next
  }
}

const withoutSecrets = (headers: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => !['authorization', 'cookie'].includes(name.toLowerCase())),
  )

async function sendRequest(url: URL, call: SafeFetchOptions, signal: AbortSignal): Promise<FetchReply> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new BlockedAddress('Only http and https URLs are allowed')
  // Plain HTTP is allowed for ranges and origins that the operator allows, and for calls without secrets.
  const isAllowed = (address: string) =>
    url.origin === call.trustedOrigin ||
    isInNetworks(address, call.allowedNetworks) ||
    ((url.protocol === 'https:' || call.allowHttp === true) && isPublicAddress(address))
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) && !isAllowed(host)) throw notAllowed(host)
  try {
    return await new Promise<FetchReply>((resolve, reject) => {
      const { method = 'GET', body, headers = {}, ca } = call
      const lookup = guarded(isAllowed, call.lookup ?? lookUp)
      // Connections are not reused, because another call may have other allowed ranges.
      const options = {
        method,
        headers: { accept: 'application/json', ...headers },
        signal,
        lookup,
        agent: false,
      }
      const request =
        url.protocol === 'http:' ? http.request(url, options) : https.request(url, { ...options, ca })
      request.on('error', reject)
      request.on('response', (answer) => {
        readAll(answer, call.maxBytes ?? 4 * megabyte, call.truncate).then(
          (bytes) =>
            resolve({
              status: answer.statusCode ?? 0,
              headers: answer.headers,
              bytes,
              text: bytes.toString('utf8'),
              url,
            }),
          (error: unknown) => {
            request.destroy()
            reject(error)
          },
        )
      })
      request.end(body)
    })
  } catch (error) {
    signal.throwIfAborted()
    throw error
  }
}

async function readAll(answer: http.IncomingMessage, most: number, cut = false): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of answer) {
    if (!(piece instanceof Buffer)) continue
    size += piece.length
    // Leaving the loop closes the connection.
    if (size > most && cut) {
      pieces.push(piece.subarray(0, piece.length - (size - most)))
      break
    }
    if (size > most)
      throw new ResponseTooLarge(`its response is larger than ${Math.floor(most / megabyte)} MB`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

function guarded(isAllowed: (address: string) => boolean, resolve: LookupAddresses): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '')
      const allowed = addresses.filter(({ address }) => isAllowed(address))
      const [first] = allowed
      if (!first) return done(notAllowed(hostname), '')
      if (options.all) done(null, allowed)
      else done(null, first.address, first.family)
    })
  }
}

const notAllowed = (host: string) =>
  new BlockedAddress(`${host} is not a public address, or the URL is not encrypted`)

export function isInNetworks(address: string, networks: readonly string[]): boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [net = '', bits] = network.split('/')
    const family = isIPv6(net) ? 'ipv6' : 'ipv4'
    list.addSubnet(net, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family)
  }
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}
