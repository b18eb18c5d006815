import { z } from 'zod'
import { containerParams } from './containers.ts'
import { endpoint } from './endpoint.ts'
import { idInput, id } from './shared/ids.ts'
import { text, time } from './shared/text-fields.ts'
import { outputEvent, pagedList, pageQuery } from './shared/replies.ts'
import { stderrSeparator } from './shared/command-line.ts'
import { numberParameter, wholeNumber } from './shared/numbers.ts'

export const commandStatuses = ['running', 'completed', 'failed', 'cancelled', 'timed_out', 'lost'] as const

export const command = z.object({
  id: id('command'),
  command: z.string(),
  status: z
    .enum(commandStatuses)
    .describe(
      '`completed`: the command exited, regardless of its exit code. `failed`: the command could not start. `lost`: the server or container stopped while the command was running.',
    ),
  exit_code: z.int().nullable(),
  error: z.string().nullable(),
  output: z.string().describe(`stdout; then, after a line "${stderrSeparator}", stderr.`),
  truncated: z.boolean(),
  container_id: z
    .string()
    .nullable()
    .describe('Container that the command ran in; null for a command on the server.'),
  container_name: z.string().nullable(),
  actor: z.object({ name: z.string() }),
  timeout_seconds: z.int(),
  created_at: time,
  finished_at: time.nullable(),
})

const params = z.object({ id: idInput('server') })
const oneParams = z.object({ id: idInput('server'), command_id: idInput('command') })

const body = z.strictObject({
  command: text(10_000)
    .refine((value) => value.trim() !== '', { error: 'Must not be empty.' })
    .describe('Command to run with sh.'),
  timeout_seconds: wholeNumber(1, 3_600).default(60),
  wait: z.boolean().default(true),
})

export const listCommands = endpoint('GET /v1/servers/{id}/commands', {
  access: 'containers.shell',
  summary: 'List commands that ran on a server and in its containers, newest first',
  description:
    'Output is not included. Without root access to the server, only commands in containers of applications are listed.',
  params,
  query: z.strictObject({
    ...pageQuery,
    page: numberParameter(100_000)
      .optional()
      .describe('Page number, starting at 1. Cannot be combined with a cursor.'),
    container_id: text(200)
      .optional()
      .describe('Lists only commands in this container, given by ID, ID prefix or name.'),
  }),
  reply: pagedList('commands', command.omit({ output: true })),
})

export const runCommand = endpoint('POST /v1/servers/{id}/command', {
  access: 'servers.root',
  summary: 'Run a shell command on a server',
  description: 'Waits for the result unless `wait` is false.',
  params,
  body,
  reply: z.object({ output: z.string(), command }),
  idempotent: true,
})

export const runContainerCommand = endpoint('POST /v1/servers/{id}/containers/{cid}/command', {
  access: 'containers.shell',
  resource: 'container',
  summary: 'Run a shell command in a container',
  description:
    'Containers that have host access or belong to no application require root access to the server.',
  params: containerParams,
  body,
  reply: z.object({
    output: z.object({ output: z.object({ stdout: z.string(), stderr: z.string() }) }),
    command,
  }),
  idempotent: true,
})

export const getCommand = endpoint('GET /v1/servers/{id}/commands/{command_id}', {
  access: 'containers.shell',
  resource: 'command',
  summary: 'Get a command with its output so far',
  params: oneParams,
  reply: z.object({ command }),
})

export const streamCommand = endpoint('GET /v1/servers/{id}/commands/{command_id}/output', {
  access: 'containers.shell',
  resource: 'command',
  summary: 'Stream the output of a command',
  description: 'Starts at the beginning, or after Last-Event-ID.',
  params: oneParams,
  query: z.strictObject({ token: text(200).optional() }),
  kind: 'events',
  reply: outputEvent,
})

export const cancelCommand = endpoint('POST /v1/servers/{id}/commands/{command_id}/cancel', {
  access: 'containers.shell',
  resource: 'command',
  open: true,
  summary: 'Cancel a running command and all its processes',
  description: 'If the server is unreachable, the command is canceled once it is reachable again.',
  params: oneParams,
  reply: z.object({ command }),
})
