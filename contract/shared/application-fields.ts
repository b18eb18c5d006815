import { z } from 'zod'
import { notAVariableName, type Pair, readMappings, readPairs, variableName } from './entries.ts'
import { text } from './ids.ts'

/** Reserved for what Slipway itself writes on containers. */
const ownLabels = /^slipway\./i

export const variable = z.strictObject({
  key: text(255, 1).trim().regex(variableName, { error: notAVariableName }),
  value: text(65_536),
})

export const label = z.strictObject({
  key: text(255, 1)
    .trim()
    .regex(/^[A-Za-z0-9]([A-Za-z0-9._/-]*[A-Za-z0-9])?$/, {
      error: 'Must have only letters, digits, ., -, _ and /, such as com.example.team.',
    })
    .refine((key) => !ownLabels.test(key), {
      error: 'Must not begin with slipway., which is for Slipway itself.',
    }),
  value: text(4_096),
})

const wholePath = /^\/(?:[^/\0:]+(?:\/[^/\0:]+)*\/?)?$/
/** The same folder is written in one way. */
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
          'Must be the name of a volume, such as data, or for admins a whole path of a folder on the server, such as /srv/data.',
      },
    )
    .transform(withoutEnd)
    .meta({
      description: 'The name of a volume; or the path of a folder of the server, which is for admins.',
    }),
  target: path('Must be a whole path in the container, such as /data.').refine((target) => target !== '/', {
    error: 'Must not be the root of the container.',
  }),
})

const noPort = { error: 'Must be a port, from 1 to 65535.' }
const portNumber = z
  .union(
    [
      z.number(),
      z
        .string()
        .trim()
        .regex(/^\d{1,5}$/, noPort)
        .transform(Number),
    ],
    noPort,
  )
  .pipe(z.int(noPort).min(1, noPort).max(65_535, noPort))

/** Where sshd and Docker themselves listen. */
export const keptPorts: ReadonlySet<number> = new Set([22, 2375, 2376])

export const portMapping = z.strictObject({
  source: portNumber
    .refine((port) => !keptPorts.has(port), {
      error: 'Must be another port: the server itself needs 22, 2375 and 2376.',
    })
    .meta({ description: 'On the server.' }),
  target: portNumber.meta({ description: 'In the container.' }),
})

const listOrText = {
  error: ({ input }: { input?: unknown }) =>
    input === undefined ? 'Is required.' : 'Must be a list, or text with one entry a line.',
}
/** More than anybody has. Cut by its size before it is split. */
const given = z
  .union([z.array(z.unknown()), z.string()], listOrText)
  .refine((list) => typeof list !== 'string' || (list.length <= 400_000 && hasAtMostLines(list, 5_000)), {
    error: 'Must have at most 5,000 lines and 400,000 characters.',
    abort: true,
  })
  .refine((list) => typeof list !== 'string' || text(400_000).safeParse(list).success, {
    error: 'Must not contain control characters.',
  })

function hasAtMostLines(value: string, most: number): boolean {
  let at = -1
  for (let line = 1; line <= most; line++) {
    at = value.indexOf('\n', at + 1)
    if (at < 0) return true
  }
  return false
}

const mostEntries = { error: 'Must be at most 500 entries.' }
const notTwice = (what: string) => ({ error: `Must not name the same ${what} twice.` })

/** A list, or text with one entry a line; later lines of a key win, as in a shell. */
const pairs = <S extends z.ZodType<Pair>>(pair: S) =>
  given
    .transform((list) => (typeof list === 'string' ? readPairs(list) : list))
    .pipe(z.array(pair).max(500, mostEntries))
    .transform((list) => [...new Map(list.map((one) => [one.key, one])).values()])

const mappings = <S extends z.ZodType>(mapping: S) =>
  given
    .transform((list) => (typeof list === 'string' ? readMappings(list) : list))
    .pipe(z.array(mapping).max(500, mostEntries))

export const variables = pairs(variable)
export const labels = pairs(label)
export const volumes = mappings(mount).refine(
  (list) => new Set(list.map(({ target }) => target)).size === list.length,
  notTwice('path in the container'),
)
export const ports = mappings(portMapping).refine(
  (list) => new Set(list.map(({ source }) => source)).size === list.length,
  notTwice('port on the server'),
)

const seconds = (most: number) =>
  z
    .int({ error: 'Must be a whole number of seconds.' })
    .min(1, { error: 'Must be at least 1 second.' })
    .max(most, { error: `Must be at most ${most} seconds.` })

export const healthTypes = ['auto', 'http', 'tcp', 'docker', 'none'] as const

/** How it is told that a container can take traffic. */
export const health = z.strictObject({
  type: z.enum(healthTypes).meta({
    description:
      '`auto`: the image’s own check where it has one, else that its port answers, else that it keeps running. `docker`: the image’s own check. `none`: only that it keeps running.',
  }),
  path: text(500, 1)
    .regex(/^\/[!-~]*$/, { error: 'Must be a path, such as /healthz.' })
    .default('/')
    .meta({ description: 'For `http`: answers 200 to 399.' }),
  within_seconds: seconds(3_600)
    .default(60)
    .meta({ description: 'How long a new container may take until then.' }),
})

export const command = z
  .array(text(4_096))
  .min(1, { error: 'Must not be empty.' })
  .max(100, { error: 'Must have at most 100 arguments.' })
  .nullable()
  .meta({ description: 'Arguments instead of those of the image; null for its own.' })

/** What a container is made of and how it is run: frozen in a release. */
export const runtime = {
  command,
  port: portNumber.nullable().meta({
    description: 'Where it listens for HTTP; null for the only one that the image exposes.',
  }),
  health,
  memory_limit: z
    .int({ error: 'Must be a whole number of bytes.' })
    .min(6 * 1024 * 1024, { error: 'Must be at least 6 MiB.' })
    .max(2 ** 46, { error: 'Must be at most 64 TiB.' })
    .nullable()
    .meta({ description: 'Bytes; null for no limit.' }),
  cpu_limit: z
    .number({ error: 'Must be a number.' })
    .min(0.01, { error: 'Must be at least 0.01.' })
    .max(1_024, { error: 'Must be at most 1024.' })
    .nullable()
    .meta({ description: 'Cores; null for no limit.' }),
  replicas: z
    .int({ error: 'Must be a whole number.' })
    .min(1, { error: 'Must be at least 1.' })
    .max(20, { error: 'Must be at most 20.' }),
  restart: z.enum(['always', 'on-failure', 'no']).meta({ description: 'When a container ends by itself.' }),
  stop_seconds: seconds(600).meta({ description: 'What a container gets to end by itself.' }),
  drain_seconds: seconds(3_600).meta({ description: 'What open requests get to end on an old container.' }),
  stop_first: z.boolean().meta({
    description:
      'Whether the old containers end before the new ones start, for what cannot share its files. Nobody answers meanwhile.',
  }),
}
