import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { givenId, id, text, time } from './shared/ids.ts'
import { listOf, pageQuery, success } from './shared/page.ts'

/** Docker's own, in the order of the list: what needs attention comes first. */
export const containerStates = [
  'restarting',
  'dead',
  'removing',
  'running',
  'paused',
  'created',
  'exited',
] as const
export const containerHealths = ['starting', 'healthy', 'unhealthy'] as const

export const containerActions = [
  'start',
  'stop',
  'restart',
  'pause',
  'unpause',
  'kill',
  'rename',
  'remove',
] as const

export const container = z.object({
  id: z.string().meta({ description: "Docker's own." }),
  name: z.string(),
  image: z.string().meta({ description: 'As it was asked for, with its tag.' }),
  image_id: z.string(),
  state: z.enum(containerStates),
  health: z.enum(containerHealths).nullable().meta({ description: 'Null without a health check.' }),
  exit_code: z.number().int().nullable().meta({ description: 'Of the last run, once that has ended.' }),
  restarts: z.number().int(),
  ports: z.array(
    z.object({
      address: z.string().nullable(),
      port: z
        .number()
        .int()
        .nullable()
        .meta({ description: 'On the server; null when it is not published.' }),
      container_port: z.number().int(),
      protocol: z.string(),
    }),
  ),
  project: z.string().nullable().meta({ description: 'Of compose.' }),
  service: z.string().nullable(),
  created_at: time,
  started_at: time.nullable(),
  finished_at: time.nullable(),
  cpu: z
    .number()
    .nullable()
    .meta({ description: 'In cores: 1 is one whole core. Null while it is not known.' }),
  memory_used: z.number().nullable(),
  memory_limit: z.number().nullable(),
})

const controllable = z.boolean().meta({
  description: 'Whether your role may start, stop and remove it. One of no application needs an admin.',
})

export const containerDetails = container.extend({
  controllable,
  enter_refusal: z.string().nullable().meta({
    description: 'Why your role may not open terminals or run commands in it; null when it may.',
  }),
  masked: z.boolean().meta({
    description:
      'Whether its command, entrypoint, values of labels and output of its health check are withheld from your role, as they may hold secrets.',
  }),
  application: z
    .object({ id: id('application'), name: z.string() })
    .nullable()
    .meta({ description: 'The one that it is part of.' }),
  command: z.array(z.string()).nullable().meta({ description: 'Null when it is masked.' }),
  entrypoint: z.array(z.string()).nullable().meta({ description: 'Null when it is masked.' }),
  working_dir: z.string(),
  user: z.string(),
  hostname: z.string(),
  environment: z
    .array(z.string())
    .meta({ description: 'The names. Their values may be secrets, and are asked for by themselves.' }),
  mounts: z.array(
    z.object({
      type: z.string(),
      name: z.string().nullable(),
      source: z.string(),
      target: z.string(),
      read_only: z.boolean(),
    }),
  ),
  networks: z.array(z.object({ name: z.string(), address: z.string().nullable() })),
  labels: z
    .record(z.string(), z.string().nullable())
    .meta({ description: 'By name; the values are null when they are masked.' }),
  restart_policy: z.string(),
  tty: z.boolean(),
  privileged: z.boolean(),
  error: z.string().nullable().meta({ description: "Why it could not be started, in Docker's words." }),
  oom_killed: z.boolean(),
  auto_remove: z.boolean().meta({ description: 'Docker removes it when it stops.' }),
  health_output: z
    .string()
    .nullable()
    .meta({ description: 'What its health check said last, cut to 2,000 characters.' }),
})

/** Docker's id, the beginning of one, or a name. Anything else names nothing. */
export const givenContainer = text(200, 1)

const params = z.object({ id: givenId('server') })
export const containerParams = z.object({ id: givenId('server'), cid: givenContainer })

export const listContainers = endpoint('GET /v1/servers/{id}/containers', {
  access: 'containers.read',
  summary: 'All containers of the server, whoever started them',
  params,
  query: z.strictObject({ ...pageQuery, q: text(200).optional() }),
  reply: listOf('containers', container.extend({ controllable })),
})

export const getContainer = endpoint('GET /v1/servers/{id}/containers/{cid}', {
  access: 'containers.read',
  resource: 'container',
  summary: 'A container with all that Docker knows of it, but for the values of its environment',
  params: containerParams,
  reply: z.object({ container: containerDetails }),
})

export const getContainerEnvironment = endpoint('GET /v1/servers/{id}/containers/{cid}/environment', {
  access: 'containers.operate',
  resource: 'container',
  summary: 'Its environment with the values, which may be secrets: who asks is recorded',
  params: containerParams,
  reply: z.object({ environment: z.array(z.object({ key: z.string(), value: z.string() })) }),
})

const actionOptions = {
  name: text(200)
    .regex(/^[a-zA-Z0-9][a-zA-Z0-9_.-]+$/, {
      error: 'Must have at least two of a-z, A-Z, 0-9, _, . and -, and begin with a letter or a digit.',
    })
    .optional()
    .meta({ description: 'For `rename`: the new one.' }),
  signal: z
    .string()
    .regex(/^(SIG)?[A-Z][A-Z0-9+-]{1,15}$/, { error: 'Must be the name of a signal, such as SIGHUP.' })
    .optional()
    .meta({ description: 'For `kill`: SIGKILL unless told.' }),
  force: z.boolean().optional().meta({ description: 'For `remove`: also when it runs.' }),
  volumes: z.boolean().optional().meta({ description: 'For `remove`: its anonymous volumes too.' }),
}
const acted = z.object({
  success: z.literal(true),
  container: container.nullable().meta({ description: 'As it is now; null once it is removed.' }),
})

export const actOnContainer = endpoint('POST /v1/servers/{id}/containers/{cid}/action', {
  access: 'containers.operate',
  resource: 'container',
  summary:
    'Start, stop, restart, pause, unpause, kill, rename or remove a container; answers when it is done. One of no application needs the right to act as root',
  params: containerParams,
  body: z.strictObject({ action: z.enum(containerActions), ...actionOptions }),
  reply: acted,
  idempotent: true,
})

export const actOnContainerByPath = endpoint('POST /v1/servers/{id}/containers/{cid}/{action}', {
  access: 'containers.operate',
  resource: 'container',
  summary: 'The same, with the action in the path',
  params: containerParams.extend({ action: z.enum(containerActions) }),
  body: z.strictObject(actionOptions),
  reply: acted,
  idempotent: true,
})

export const removeContainer = endpoint('DELETE /v1/servers/{id}/containers/{cid}', {
  access: 'containers.operate',
  resource: 'container',
  summary: 'Remove a container; with force also one that runs',
  params: containerParams,
  query: z.strictObject({ force: z.stringbool().default(false), volumes: z.stringbool().default(false) }),
  reply: success,
})
