import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { invalid, problem } from '../../contract/shared/problem.ts'
import type { Log } from '../platform/log.ts'
import { quoteForShell } from '../remote/command.ts'
import { sendProblem } from './problems.ts'

export const SCRIPT = 'text/x-shellscript'

/**
 * Where a script was asked for by curl or wget, which take anything, a shell reads what comes: so the problem becomes a
 * script as well, one that says the sentence and fails. Programs that know our problems, or say nothing, get those.
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
