import type { NamedEndpoint } from '../../contract/api.ts'
import {
  type Client,
  exactly,
  expectProblem,
  type CallResult,
  type CallOptions,
} from '../support/clients/client.ts'
import { openSocket } from '../support/clients/sockets.ts'
import { openStream } from '../support/clients/streams.ts'

/** Calls any endpoint; the response must match the contract. */
export async function sendAny(
  slipway: Client,
  url: string,
  endpoint: NamedEndpoint,
  sent: CallOptions,
): Promise<CallResult> {
  const got = await (endpoint.kind === 'events'
    ? sendToStream(url, endpoint, sent)
    : endpoint.kind === 'socket'
      ? sendToSocket(url, endpoint, sent)
      : slipway.call(endpoint.key, sent))
  if (got.status >= 400) expectProblem(got)
  else if (got.status !== (endpoint.status ?? 200)) throw new Error(`${endpoint.key} gave ${got.status}.`)
  else exactly(endpoint.reply, got.body)
  return got
}

export const addressOf = (url: string, { path }: NamedEndpoint, { params = {}, query = {} }: CallOptions) => {
  const search = new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)]))
  return `${url}${path.replace(/\{(\w+)\}/g, (all, name: string) => params[name] ?? all)}?${search.toString()}`
}

const bearerOf = ({ token }: CallOptions) => (token === undefined ? {} : { authorization: `Bearer ${token}` })

async function sendToSocket(url: string, endpoint: NamedEndpoint, sent: CallOptions): Promise<CallResult> {
  const { socket, refused } = await openSocket(addressOf(url, endpoint, sent), bearerOf(sent))
  if (refused) return refused
  const body = await socket.message('opened')
  socket.close()
  return { status: 200, headers: {}, text: JSON.stringify(body), body }
}

async function sendToStream(url: string, endpoint: NamedEndpoint, sent: CallOptions): Promise<CallResult> {
  const stream = await openStream(addressOf(url, endpoint, sent), bearerOf(sent))
  if (stream.status === 200) {
    const { data } = await stream.event('connected')
    stream.close()
    return { status: 200, headers: {}, text: JSON.stringify(data), body: data }
  }
  await stream.untilEnded()
  const body: unknown = JSON.parse(stream.text())
  return { status: stream.status, headers: stream.headers, text: stream.text(), body }
}
