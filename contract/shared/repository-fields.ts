import { z } from 'zod'
import { runtime } from './application-fields.ts'
import { variableName, notAVariableName } from './entries.ts'
import { givenId, id, text } from './ids.ts'

/** `owner/name`, as GitHub writes it. */
export const repositoryName = text(200, 1)
  .trim()
  .regex(/^[A-Za-z0-9](?:[A-Za-z0-9-]{0,98})\/[A-Za-z0-9._-]{1,100}$/, {
    error: 'Must be an owner and a repository, such as octocat/hello.',
  })
  .refine((name) => !/\/\.{1,2}$/.test(name), { error: 'Must be an owner and a repository.' })

/** What git takes as the name of a branch or a tag, with all its strange characters. */
// oxlint-disable-next-line no-control-regex -- they are what git refuses
const unfitRef = /^$|^[-/]|[/.]$|\.lock(?:\/|$)|\.\.|@\{|\/\/|\/\.|^\.|^@$|[\u0000-\u0020\u007f~^:?*[\\]/
export const refName = text(244, 1).refine((name) => !unfitRef.test(name), {
  error: 'Must be the name of a branch as git writes it, such as main.',
})

const pathInside = (most = 500) =>
  text(most)
    .trim()
    .transform((path) => path.replace(/^(?:\.?\/)+|\/+$/g, ''))
    .refine((path) => !path.split('/').some((part) => part === '..' || part === '.'), {
      error: 'Must be a path inside the repository, without . or .. as a folder.',
    })

/** What changes Docker, BuildKit, the shell, the loader or Slipway itself rather than what a Dockerfile does. */
const reservedArgument =
  /^(?:BUILDKIT|BUILDX|DOCKER|COMPOSE|SLIPWAY|RAILPACK|LD|DYLD|SUDO|BASH)_|^(?:PATH|HOME|IFS|ENV|PS4|SHELL|SHELLOPTS|BASHOPTS|CDPATH|_)$/i

export const builders = ['auto', 'dockerfile', 'generated', 'railpack'] as const
export const deployOn = ['push', 'tag', 'nothing'] as const

/** How an image is made from a repository: frozen in a release. */
export const buildFields = {
  folder: pathInside()
    .default('')
    .meta({ description: 'The folder inside the repository that is built; empty for all of it.' }),
  builder: z.enum(builders).default('auto').meta({
    description:
      '`auto`: the Dockerfile of the repository, else one that is generated. `railpack` runs on the server itself, outside of any container, so only admins may choose it.',
  }),
  dockerfile: pathInside()
    .default('')
    .meta({ description: 'Path of the Dockerfile in that folder; empty for `Dockerfile`.' }),
  generated: z
    .string()
    .max(100_000, { error: 'Must have at most 100,000 characters.' })
    .refine((value) => !value.includes('\u0000'), { error: 'Must not contain control characters.' })
    .nullable()
    .default(null)
    .meta({
      description:
        'The generated Dockerfile as somebody edited it; null for what is found out at each build.',
    }),
  target: text(128)
    .trim()
    .regex(/^[A-Za-z0-9._-]*$/, { error: 'Must be the name of a stage of the Dockerfile.' })
    .default('')
    .meta({ description: 'The stage that is built; empty for the last.' }),
  build_args: z
    .array(
      z.strictObject({
        key: text(255, 1)
          .trim()
          .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, {
            error:
              'Must begin with a letter or _, and have only letters, digits and _, such as NODE_VERSION.',
          })
          .refine((key) => !reservedArgument.test(key), {
            error:
              'Is reserved: it would change the programs that build, not the image. Choose another name, such as APP_VERSION.',
          }),
        value: text(4_096),
      }),
    )
    .max(100, { error: 'Must be at most 100.' })
    .refine((list) => new Set(list.map(({ key }) => key)).size === list.length, {
      error: 'Must not name one twice.',
    })
    .default([])
    .meta({ description: 'They stay readable in the image, so they are no place for secrets.' }),
  build_secrets: z
    .array(text(255, 1).trim().regex(variableName, { error: notAVariableName }))
    .max(100, { error: 'Must be at most 100.' })
    .default([])
    .meta({
      description:
        'Names of its environment whose values the build may mount as secrets of the same id. They never stand in the image.',
    }),
  submodules: z.boolean().default(false),
  lfs: z.boolean().default(false).meta({ description: 'Whether files kept with Git LFS are fetched.' }),
  build_memory: runtime.memory_limit
    .default(null)
    .meta({ description: 'Bytes that a build may take; null for what the size of the server suggests.' }),
  build_cpus: runtime.cpu_limit
    .default(null)
    .meta({ description: 'Cores that a build may take; null for what the size of the server suggests.' }),
  build_minutes: z
    .int({ error: 'Must be a whole number.' })
    .min(1, { error: 'Must be at least 1.' })
    .max(360, { error: 'Must be at most 360.' })
    .default(30)
    .meta({ description: 'Minutes after which a build is ended.' }),
}

/** When it deploys by itself. */
export const triggerFields = {
  deploy_on: z.enum(deployOn).default('push').meta({
    description: '`push`: of the branch. `tag`: of a tag that fits `tags`. `nothing`: only when asked.',
  }),
  tags: text(200)
    .trim()
    .default('')
    .meta({ description: 'With `tag`: which tags, such as v*; empty for all.' }),
  watch_paths: z
    .array(
      text(500, 1)
        .trim()
        .refine((path) => !path.startsWith('/') && !path.split('/').includes('..'), {
          error: 'Must be a path or a pattern inside the repository, such as api/**.',
        }),
    )
    .max(100, { error: 'Must be at most 100.' })
    .default([])
    .meta({ description: 'A push that touches none of them does not deploy; none for all.' }),
}

export const repositoryFields = {
  integration_id: givenId('integration'),
  repository: repositoryName,
  branch: refName,
  ...buildFields,
  ...triggerFields,
}

/** A commit, as far as GitHub tells. */
export const commit = z.object({
  sha: z.string(),
  message: z.string().meta({ description: 'The first line.' }),
  author: z.string().nullable(),
  branch: z.string().nullable().meta({ description: 'Or the tag.' }),
  url: z.string(),
})

/** How an application is made from its repository. */
export const repositorySettings = z.object({
  integration_id: id('integration')
    .nullable()
    .meta({ description: 'Null once its account is disconnected: then it cannot be built.' }),
  repository: z.string(),
  branch: z.string(),
  folder: z.string(),
  builder: z.enum(builders),
  dockerfile: z.string(),
  generated: z.string().nullable(),
  target: z.string(),
  build_args: z
    .array(z.object({ key: z.string(), value: z.string().nullable() }))
    .meta({ description: 'The values are null for who may not manage the application.' }),
  build_secrets: z.array(z.string()),
  submodules: z.boolean(),
  lfs: z.boolean(),
  build_memory: z.number().nullable(),
  build_cpus: z.number().nullable(),
  build_minutes: z.number().int(),
  deploy_on: z.enum(deployOn),
  tags: z.string(),
  watch_paths: z.array(z.string()),
})
