import { z } from 'zod'
import { describeDotenvProblem, readDotenv } from './dotenv.ts'
import { variableNameError, type Pair, readMappings, readPairs, variableName } from './entries.ts'
import { text } from './text-fields.ts'
import { portText, wholeNumber } from './numbers.ts'

const ownLabels = /^slipway\./i

export const variable = z.strictObject({
  key: text(255, 1).trim().regex(variableName, { error: variableNameError }),
  value: text(65_536),
})

export const label = z.strictObject({
  key: text(255, 1)
    .trim()
    .regex(/^[A-Za-z0-9]([A-Za-z0-9._/-]*[A-Za-z0-9])?$/, {
      error: 'Must contain only letters, digits, ., -, _ and /, such as com.example.team.',
    })
    .refine((key) => !ownLabels.test(key), {
      error: 'Must not start with slipway., which is reserved.',
    }),
  value: text(4_096),
})

const wholePath = /^\/(?:[^/\0:]+(?:\/[^/\0:]+)*\/?)?$/
/** Normalizes paths, so that equal folders compare equal. */
const withoutEnd = (path: string) => (path.length > 1 ? path.replace(/\/$/, '') : path)
const noSteps = (path: string) => !path.split('/').some((part) => part === '..' || part === '.')
const path = (sentence: string) =>
  text(1_000, 1)
    .trim()
    .regex(wholePath, { error: sentence })
    .refine(noSteps, { error: 'Must not contain . or .. as a folder.' })
    .transform(withoutEnd)

const volumeName = /^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,99}$/

export const mount = z.strictObject({
  source: text(1_000, 1)
    .trim()
    .refine(
      (source) => volumeName.test(source) || (wholePath.test(source) && source !== '/' && noSteps(source)),
      {
        error:
          'Must be a volume name, such as data, or an absolute path on the server, such as /srv/data (admins only).',
      },
    )
    .transform(withoutEnd)
    .describe('Volume name, or the path of a server folder (admins only).'),
  target: path('Must be an absolute path in the container, such as /data.').refine(
    (target) => target !== '/',
    {
      error: 'Must not be the root of the container.',
    },
  ),
})

export const reservedPorts: ReadonlySet<number> = new Set([22, 2375, 2376])

export const portMapping = z.strictObject({
  source: portText
    .refine((port) => !reservedPorts.has(port), {
      error: 'Choose another port: 22, 2375 and 2376 are reserved for the server.',
    })
    .describe('Port on the server.'),
  target: portText.describe('Port in the container.'),
})

const listOrText = {
  error: ({ input }: { input?: unknown }) =>
    input === undefined ? 'Is required.' : 'Must be a list, or text with one entry per line.',
}
/** Checks the size before the text is split, so that large input stays cheap. */
const entriesInput = z
  .union([z.array(z.unknown()), z.string()], listOrText)
  .refine((list) => typeof list !== 'string' || (list.length <= 400_000 && hasAtMostLines(list, 5_000)), {
    error: 'Must have at most 5,000 lines and 400,000 characters.',
    abort: true,
  })
  .refine((list) => typeof list !== 'string' || text(400_000).safeParse(list).success, {
    error: 'Must not contain control characters.',
  })

function hasAtMostLines(value: string, most: number): boolean {
  let index = -1
  for (let line = 1; line <= most; line++) {
    index = value.indexOf('\n', index + 1)
    if (index < 0) return true
  }
  return false
}

const mostEntries = { error: 'Must have at most 500 entries.' }
const notTwice = (what: string) => ({ error: `Must not contain the same ${what} twice.` })

type ReadText = (text: string, context: z.RefinementCtx) => Pair[]

/** Accepts a list or text. If a key occurs twice, the last value is used, as in a shell. */
const pairs = <S extends z.ZodType<Pair>>(pair: S, read: ReadText) =>
  entriesInput
    .transform((list, context) => (typeof list === 'string' ? read(list, context) : list))
    .pipe(z.array(pair).max(500, mostEntries))
    .transform((list) => [...new Map(list.map((entry) => [entry.key, entry])).values()])

const mappings = <S extends z.ZodType>(mapping: S) =>
  entriesInput
    .transform((list) => (typeof list === 'string' ? readMappings(list) : list))
    .pipe(z.array(mapping).max(500, mostEntries))

export const variables = pairs(variable, (text, context) => {
  const { entries, problems } = readDotenv(text)
  for (const problem of problems.slice(0, 5))
    context.addIssue({ code: 'custom', message: describeDotenvProblem(problem) })
  return entries.map(({ key, value }) => ({ key, value }))
})
export const labels = pairs(label, readPairs)
export const volumes = mappings(mount).refine(
  (list) => new Set(list.map(({ target }) => target)).size === list.length,
  notTwice('container path'),
)
export const ports = mappings(portMapping).refine(
  (list) => new Set(list.map(({ source }) => source)).size === list.length,
  notTwice('server port'),
)

const seconds = (most: number) =>
  z
    .int({ error: 'Must be a whole number of seconds.' })
    .min(1, { error: 'Must be at least 1 second.' })
    .max(most, { error: `Must be at most ${most} seconds.` })

export const healthTypes = ['auto', 'http', 'tcp', 'docker', 'none'] as const

export const health = z.strictObject({
  type: z
    .enum(healthTypes)
    .describe(
      '`auto`: the HEALTHCHECK of the image; without one, a TCP connection to the port; without a port, that the container keeps running. `docker`: the HEALTHCHECK of the image. `http`: a request to `path`. `none`: that the container keeps running.',
    ),
  path: text(500, 1)
    .regex(/^\/[!-~]*$/, { error: 'Must be a path, such as /healthz.' })
    .default('/')
    .describe('For `http`: path that must return a status from 200 to 399.'),
  within_seconds: seconds(3_600)
    .default(60)
    .describe('How long a new container may take to become healthy, in seconds.'),
})

export const commandField = z
  .array(text(4_096))
  .min(1, { error: 'Must not be empty.' })
  .max(100, { error: 'Must have at most 100 arguments.' })
  .nullable()
  .describe('Command that replaces the command of the image; null to use the command of the image.')

export const runtime = {
  command: commandField,
  port: portText
    .nullable()
    .describe('HTTP port of the application; null for the port that the image exposes.'),
  health,
  memory_limit: z
    .int({ error: 'Must be a whole number of bytes.' })
    .min(6 * 1024 * 1024, { error: 'Must be at least 6 MiB.' })
    .max(2 ** 46, { error: 'Must be at most 64 TiB.' })
    .nullable()
    .describe('Memory limit in bytes; null for no limit.'),
  cpu_limit: z
    .number({ error: 'Must be a number.' })
    .min(0.01, { error: 'Must be at least 0.01.' })
    .max(1_024, { error: 'Must be at most 1024.' })
    .nullable()
    .describe('CPU limit in cores; null for no limit.'),
  replicas: wholeNumber(1, 20),
  restart: z.enum(['always', 'on-failure', 'no']).describe('When Docker restarts a container that exits.'),
  stop_grace_seconds: seconds(600).describe('Grace period in seconds between SIGTERM and SIGKILL.'),
  drain_seconds: seconds(3_600).describe('How long old containers may finish open requests, in seconds.'),
  stop_first: z
    .boolean()
    .describe(
      'Whether to stop old containers before new ones start, for software that cannot share its data. Causes downtime.',
    ),
}
