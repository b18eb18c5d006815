import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { invalid, problem } from '../../contract/shared/problem.ts'
import type { Log } from '../platform/log.ts'
import { quoteForShell } from '../remote/command.ts'
import { sendProblem } from './problems.ts'

export const SCRIPT = 'text/x-shellscript'

/**
 * curl and wget pipe the response into a shell, so a problem becomes a script that prints it and fails. Other clients
 * get a regular problem.
 */
export const sendScriptProblem =
  (log: Log) => (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    if (request.headers.accept === '*/*') reply.type(`${SCRIPT}; charset=utf-8`).serializer(scriptOf)
    void sendProblem(log, error, request, reply)
  }

const scriptOf = (body: unknown) => `#!/bin/sh
printf '%s\\n' ${quoteForShell([sentenceOf(body)])} >&2
exit 1
`

const either = z.union([problem, invalid])

function sentenceOf(body: unknown): string {
  const read = either.parse(body)
  return 'error' in read ? read.error : Object.values(read.errors).flat().join(' ')
}
