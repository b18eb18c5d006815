import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { idInput, reference } from './shared/ids.ts'
import { text, time } from './shared/text-fields.ts'
import { pagedList, pageQuery, success } from './shared/replies.ts'

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
  id: z.string().describe('Docker container ID.'),
  name: z.string(),
  image: z.string().describe('Image reference with tag.'),
  image_id: z.string(),
  state: z.enum(containerStates),
  health: z
    .enum(containerHealths)
    .nullable()
    .describe('Health check status; null if the container has no health check.'),
  exit_code: z.int().nullable().describe('Exit code of the last run; null if the container is running.'),
  restarts: z.int(),
  ports: z.array(
    z.object({
      address: z.string().nullable(),
      port: z.int().nullable().describe('Port on the server; null if not published.'),
      container_port: z.int(),
      protocol: z.string(),
    }),
  ),
  project: z.string().nullable().describe('Name of the compose project; null if there is none.'),
  service: z.string().nullable(),
  created_at: time,
  started_at: time.nullable(),
  finished_at: time.nullable(),
  cpu: z.number().nullable().describe('CPU usage in cores; null if unknown.'),
  memory_used: z.number().nullable(),
  memory_limit: z.number().nullable(),
})

const controllable = z
  .boolean()
  .describe(
    'Whether your role can start, stop and remove the container. Containers that belong to no application require an admin.',
  )

export const containerDetails = container.extend({
  controllable,
  enter_refusal: z
    .string()
    .nullable()
    .describe('Why your role cannot open terminals or run commands in the container; null if it can.'),
  masked: z
    .boolean()
    .describe(
      'Whether command, entrypoint, label values and health check output are hidden from your role because they may contain secrets.',
    ),
  application: reference('application').nullable().describe('The application that the container belongs to.'),
  command: z.array(z.string()).nullable().describe('Null if masked.'),
  entrypoint: z.array(z.string()).nullable().describe('Null if masked.'),
  working_dir: z.string(),
  user: z.string(),
  hostname: z.string(),
  environment: z
    .array(z.string())
    .describe('Names of the environment variables. Read the values from the environment endpoint.'),
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
  labels: z.record(z.string(), z.string().nullable()).describe('Labels by name; values are null if masked.'),
  restart_policy: z.string(),
  tty: z.boolean(),
  privileged: z.boolean(),
  error: z.string().nullable().describe('Docker’s error when the container could not be started.'),
  oom_killed: z.boolean(),
  auto_remove: z.boolean().describe('Whether Docker removes the container when it stops.'),
  health_output: z.string().nullable().describe('Last output of the health check, at most 2,000 characters.'),
})

/** A container ID, the beginning of one, or a name. */
export const containerRef = text(200, 1)

const params = z.object({ id: idInput('server') })
export const containerParams = z.object({ id: idInput('server'), cid: containerRef })

export const listContainers = endpoint('GET /v1/servers/{id}/containers', {
  access: 'containers.read',
  summary: 'List all containers on a server',
  params,
  query: z.strictObject({ ...pageQuery, q: text(200).optional() }),
  reply: pagedList('containers', container.extend({ controllable })),
})

export const getContainer = endpoint('GET /v1/servers/{id}/containers/{cid}', {
  access: 'containers.read',
  resource: 'container',
  summary: 'Get a container',
  description: 'Values of environment variables are not included.',
  params: containerParams,
  reply: z.object({ container: containerDetails }),
})

export const getContainerEnvironment = endpoint('GET /v1/servers/{id}/containers/{cid}/environment', {
  access: 'containers.operate',
  resource: 'container',
  summary: 'Get the environment variables of a container with their values',
  description: 'Each request is recorded in the audit log.',
  params: containerParams,
  reply: z.object({ environment: z.array(z.object({ key: z.string(), value: z.string() })) }),
})

const actionOptions = {
  name: text(200)
    .regex(/^[a-zA-Z0-9][a-zA-Z0-9_.-]+$/, {
      error:
        'Must have at least two characters of a-z, A-Z, 0-9, _, . and -, and start with a letter or digit.',
    })
    .optional()
    .describe('For `rename`: the new name.'),
  signal: z
    .string()
    .regex(/^(SIG)?[A-Z][A-Z0-9+-]{1,15}$/, { error: 'Must be the name of a signal, such as SIGHUP.' })
    .optional()
    .describe('For `kill`: the signal. Defaults to SIGKILL.'),
  force: z.boolean().optional().describe('For `remove`: whether to remove a running container.'),
  volumes: z.boolean().optional().describe('For `remove`: whether to remove anonymous volumes as well.'),
}
const acted = z.object({
  success: z.literal(true),
  container: container.nullable().describe('The container after the action; null after its removal.'),
})

export const actOnContainer = endpoint('POST /v1/servers/{id}/containers/{cid}/action', {
  access: 'containers.operate',
  resource: 'container',
  summary: 'Start, stop, restart, pause, unpause, kill, rename or remove a container',
  description:
    'Waits until the action is done. Containers that belong to no application require root access to the server.',
  params: containerParams,
  body: z.strictObject({ action: z.enum(containerActions), ...actionOptions }),
  reply: acted,
  idempotent: true,
})

export const actOnContainerByPath = endpoint('POST /v1/servers/{id}/containers/{cid}/{action}', {
  access: 'containers.operate',
  resource: 'container',
  summary: 'Run a container action given in the path',
  description: 'Same as POST /v1/servers/{id}/containers/{cid}/action.',
  params: containerParams.extend({ action: z.enum(containerActions) }),
  body: z.strictObject(actionOptions),
  reply: acted,
  idempotent: true,
})

export const removeContainer = endpoint('DELETE /v1/servers/{id}/containers/{cid}', {
  access: 'containers.operate',
  resource: 'container',
  summary: 'Remove a container',
  description: 'Removing a running container requires `force`.',
  params: containerParams,
  query: z.strictObject({ force: z.stringbool().default(false), volumes: z.stringbool().default(false) }),
  reply: success,
})
