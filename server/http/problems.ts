import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import {
  databaseUnreachable,
  diskFull,
  headersTooLarge,
  Invalid,
  notFound,
  Problem,
  tooLarge,
  tooSlow,
  unreadable,
  unsupportedMedia,
} from '../errors.ts'
import { errorCode, isConnectionLost, isDiskFull, violatedForeignKey } from '../platform/db.ts'
import { newId } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import { maxProblems } from './parse.ts'
import { WorkerQueueFull } from '../platform/worker-thread.ts'
import { PasswordsBusy } from '../platform/passwords.ts'
import { InvalidCursor } from '../platform/pagination.ts'
import { z } from 'zod'
import { invalid, problem } from '../../contract/shared/replies.ts'
import { quoteForShell } from '../remote/command.ts'

export function sendProblem(log: Log, error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const known = toProblem(error)
  if (known instanceof Invalid) return reply.code(422).send({ errors: limitErrors(known.errors) })
  if (known instanceof Problem) {
    if (known.retryAfter !== undefined) reply.header('retry-after', String(known.retryAfter))
    if (known.status >= 500) log.warn({ problem: known.code, route: request.routeOptions.url }, known.message)
    const { url } = known
    return reply.code(known.status).send({ error: known.message, code: known.code, ...(url && { url }) })
  }
  const id = newId('event').replace('evt_', 'err_')
  log.error(
    { id, method: request.method, route: request.routeOptions.url, error: toLogFields(known) },
    'Failed to handle a request',
  )
  return reply.code(500).send({
    error: `Internal error ${id}. See the Slipway log for details.`,
    code: 'internal',
  })
}

/** Limits the number and length of errors, because areas report problems of files of any length. */
function limitErrors(errors: Record<string, string[]>): Record<string, string[]> {
  const first = Object.entries(errors)
    .flatMap(([field, sentences]) => sentences.map((sentence) => [field, sentence] as const))
    .slice(0, maxProblems)
  const fields = new Map<string, string[]>()
  for (const [field, sentence] of first)
    fields.set(field, [...(fields.get(field) ?? []), sentence.slice(0, 1_000)])
  return Object.fromEntries(fields)
}

export const sendNotFound = (request: FastifyRequest, reply: FastifyReply) =>
  reply
    .code(404)
    .send({ error: `No route for ${request.method} ${request.url.split('?')[0]}.`, code: 'not_found' })

export function sendBadUrl(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  if (error.code === 'FST_ERR_MAX_PARAM_LENGTH') return sendNotFound(request, reply)
  const { status, message, code } = unreadable('The URL is malformed.')
  return reply.code(status).send({ error: message, code })
}

export function sendMalformedRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const { status, message, code } = notHttp(error.code)
  const body = JSON.stringify({ error: message, code })
  if (socket.writable)
    socket.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    )
  socket.destroySoon()
}

function notHttp(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') return headersTooLarge()
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return tooSlow()
  return unreadable('The request is malformed.')
}

const filesBusy = () =>
  new Problem(503, 'busy', 'Too many files are being checked. Try again in a few seconds.', 5)

const ownFilesBusy = () =>
  new Problem(
    429,
    'too_many_checks',
    'Too many files of this workspace are waiting to be checked. Try again in a few seconds.',
    5,
  )

const passwordsBusy = () =>
  new Problem(503, 'busy', 'Too many passwords are being checked. Try again in a few seconds.', 5)

function toProblem(error: unknown): unknown {
  if (error instanceof Problem || error instanceof Invalid) return error
  if (error instanceof InvalidCursor)
    return new Invalid({ cursor: ['Must be a cursor returned by this list.'] })
  if (isConnectionLost(error)) return databaseUnreachable()
  if (isDiskFull(error)) return diskFull()
  if (error instanceof WorkerQueueFull) return error.isOneCaller ? ownFilesBusy() : filesBusy()
  if (error instanceof PasswordsBusy) return passwordsBusy()
  const broken = violatedForeignKey(error) ?? ''
  // Constraints of objects on a server name both workspace and server, so the server is tested first.
  if (/server_id/.test(broken)) return notFound('This server')
  if (/workspace_id/.test(broken)) return notFound('This workspace')
  const code = errorCode(error)
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge()
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return unsupportedMedia()
  if (
    isFastifyError(error) &&
    error.statusCode !== undefined &&
    error.statusCode >= 400 &&
    error.statusCode < 500
  )
    return unreadable('The request is malformed. Send JSON, encoded as UTF-8.')
  return error
}

const isFastifyError = (error: unknown): error is FastifyError =>
  error instanceof Error && 'statusCode' in error

/** Database errors contain row values in their detail, so only fields without values are logged. */
const toLogFields = (error: unknown) =>
  error instanceof Error
    ? { message: error.message, stack: error.stack, code: errorCode(error) }
    : String(error)

export const SCRIPT = 'text/x-shellscript'

/** curl and wget pipe the response into a shell, so a problem becomes a script that prints it and fails. */
export const sendScriptProblem =
  (log: Log) => (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    if (request.headers.accept === '*/*') reply.type(`${SCRIPT}; charset=utf-8`).serializer(toScript)
    void sendProblem(log, error, request, reply)
  }

const toScript = (body: unknown) => `#!/bin/sh
printf '%s\\n' ${quoteForShell([problemSentence(body)])} >&2
exit 1
`

const either = z.union([problem, invalid])

function problemSentence(body: unknown): string {
  const read = either.parse(body)
  return 'error' in read ? read.error : Object.values(read.errors).flat().join(' ')
}
