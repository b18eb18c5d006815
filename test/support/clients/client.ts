import type { FastifyInstance } from 'fastify'
import { expect } from 'vitest'
import { z } from 'zod'
import type { Endpoint, Key, Reply } from '../../../contract/endpoint.ts'
import { invalid, problem } from '../../../contract/shared/replies.ts'

export interface CallOptions {
  token?: string | undefined
  params?: Record<string, string> | undefined
  query?: Record<string, string | string[]> | undefined
  body?: unknown
  /** CallOptions literally instead of `body`. */
  raw?: string | Buffer | undefined
  headers?: Record<string, string> | undefined
  /** Client address; unique per call by default. */
  address?: string | undefined
}

export interface CallResult {
  status: number
  headers: Record<string, string>
  text: string
  body: unknown
}

export type Client = ReturnType<typeof clientOf>

/** Calls the API through the real HTTP stack. */
export function clientOf(app: FastifyInstance) {
  async function call(key: Key, sent: CallOptions = {}): Promise<CallResult> {
    const [method = '', path = ''] = key.split(' ')
    const json = sent.body === undefined ? undefined : JSON.stringify(sent.body)
    const payload = sent.raw ?? json
    const answer = await app.inject({
      method: methodOf(method),
      url: fill(path, sent.params) + search(sent.query),
      remoteAddress: sent.address ?? nextAddress(),
      headers: {
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...(sent.token === undefined ? {} : { authorization: `Bearer ${sent.token}` }),
        ...sent.headers,
      },
      ...(payload === undefined ? {} : { payload }),
    })
    const headers = Object.fromEntries(
      Object.entries(answer.headers).map(([name, value]) => [name, String(value)]),
    )
    const body: unknown = headers['content-type']?.startsWith('application/json')
      ? JSON.parse(answer.body)
      : answer.body
    return { status: answer.statusCode, headers, text: answer.body, body }
  }

  /** Expects success and a reply that matches the contract exactly. */
  async function ok<E extends Endpoint>(endpoint: E, sent: CallOptions = {}): Promise<Reply<E>> {
    const got = await call(endpoint.key, sent)
    if (got.status !== (endpoint.status ?? 200))
      throw new Error(`${endpoint.key} gave ${got.status} ${got.text}`)
    return exactly<E['reply']>(endpoint.reply, got.body)
  }

  /** Expects a refusal with this status and code. */
  async function refused(
    endpoint: Endpoint,
    sent: CallOptions,
    status: number,
    code?: string,
  ): Promise<CallResult> {
    const got = await call(endpoint.key, sent)
    if (got.status !== status) throw new Error(`${endpoint.key} gave ${got.status} ${got.text}`)
    expectProblem(got)
    expect(got.body).toMatchObject(code === undefined ? {} : { code })
    return got
  }

  return { call, ok, refused }
}

/** Fails on fields that the schema does not name. */
export function exactly<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const read = schema.parse(value)
  expect(read).toEqual(value)
  return read
}

const plainProblem = z.strictObject({ ...problem.shape, code: z.string().regex(/^[a-z]+(_[a-z]+)*$/) })
const fieldProblem = z.strictObject(invalid.shape)

/** Every refusal has the problem format of its status. */
export function expectProblem({ status, body, headers }: CallResult): void {
  expect(headers['content-type']).toMatch('application/json')
  const sentences =
    status === 422 ? Object.values(fieldProblem.parse(body).errors).flat() : [plainProblem.parse(body).error]
  expect(sentences.length).toBeGreaterThan(0)
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*\.$/s)
  if (status === 429 && !(Number(headers['retry-after']) > 0)) throw new Error('429 without Retry-After.')
}

/** Sorted, for concurrent calls. */
export const statuses = (got: CallResult[]) => got.map(({ status }) => status).toSorted((a, b) => a - b)

const methods = ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH'] as const
const methodOf = (name: string) => {
  const found = methods.find((method) => method === name)
  if (!found) throw new Error(`${name} is no method.`)
  return found
}

const fill = (path: string, params: Record<string, string> = {}) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? `{${name}}`))

function search(query: Record<string, string | string[]> | undefined): string {
  const pairs = Object.entries(query ?? {}).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, one]),
  )
  return pairs.length > 0 ? `?${new URLSearchParams(pairs).toString()}` : ''
}

let calls = 0
/** A unique address per call avoids rate limits. */
export function nextAddress(): string {
  calls += 1
  return `10.${(calls >> 16) & 255}.${(calls >> 8) & 255}.${calls & 255}`
}
