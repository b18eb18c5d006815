import { z } from 'zod'
import { runtime } from './application-fields.ts'
import { variableName, variableNameError } from './entries.ts'
import { idInput, id } from './ids.ts'
import { text } from './text-fields.ts'
import { wholeNumber } from './numbers.ts'

export const repositoryName = text(200, 1)
  .trim()
  .regex(/^[A-Za-z0-9](?:[A-Za-z0-9-]{0,98})\/[A-Za-z0-9._-]{1,100}$/, {
    error: 'Must be an owner and a repository, such as octocat/hello.',
  })
  .refine((name) => !/\/\.{1,2}$/.test(name), { error: 'Must be an owner and a repository.' })

// oxlint-disable-next-line no-control-regex -- git refuses control characters in branch names
const unfitRef = /^$|^[-/]|[/.]$|\.lock(?:\/|$)|\.\.|@\{|\/\/|\/\.|^\.|^@$|[\u0000-\u0020\u007f~^:?*[\\]/
export const refName = text(244, 1).refine((name) => !unfitRef.test(name), {
  error: 'Must be a valid branch name, such as main.',
})

const pathInside = (most = 500) =>
  text(most)
    .trim()
    .transform((path) => path.replace(/^(?:\.?\/)+|\/+$/g, ''))
    .refine((path) => !path.split('/').some((part) => part === '..' || part === '.'), {
      error: 'Must be a path inside the repository, without . or .. as a folder.',
    })

/**
 * Variables with these names would affect Docker, BuildKit, the shell, the loader or Slipway instead of the Dockerfile.
 */
const reservedArgument =
  /^(?:BUILDKIT|BUILDX|DOCKER|COMPOSE|SLIPWAY|RAILPACK|LD|DYLD|SUDO|BASH)_|^(?:PATH|HOME|IFS|ENV|PS4|SHELL|SHELLOPTS|BASHOPTS|CDPATH|_)$/i

export const builders = ['auto', 'dockerfile', 'generated', 'railpack'] as const
export const deployOn = ['push', 'tag', 'nothing'] as const

export const buildFields = {
  folder: pathInside().default('').describe('Folder in the repository to build; empty for the root.'),
  builder: z
    .enum(builders)
    .default('auto')
    .describe(
      '`auto`: the Dockerfile of the repository, or a generated one. `railpack` runs directly on the server, outside containers, so only admins may choose it.',
    ),
  dockerfile: pathInside().default('').describe('Dockerfile path in that folder; empty for `Dockerfile`.'),
  generated: z
    .string()
    .max(100_000, { error: 'Must have at most 100,000 characters.' })
    .refine((value) => !value.includes('\u0000'), { error: 'Must not contain control characters.' })
    .nullable()
    .default(null)
    .describe('Edited copy of the generated Dockerfile; null to generate one for each build.'),
  target: text(128)
    .trim()
    .regex(/^[A-Za-z0-9._-]*$/, { error: 'Must be the name of a stage of the Dockerfile.' })
    .default('')
    .describe('Stage to build; empty for the last one.'),
  build_args: z
    .array(
      z.strictObject({
        key: text(255, 1)
          .trim()
          .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, {
            error:
              'Must start with a letter or _ and contain only letters, digits and _, such as NODE_VERSION.',
          })
          .refine((key) => !reservedArgument.test(key), {
            error:
              'Is reserved: it would affect the build tools, not the image. Choose another name, such as APP_VERSION.',
          }),
        value: text(4_096),
      }),
    )
    .max(100, { error: 'Must have at most 100 entries.' })
    .refine((list) => new Set(list.map(({ key }) => key)).size === list.length, {
      error: 'Must not contain a key twice.',
    })
    .default([])
    .describe('Build arguments. Values remain readable in the image, so do not use them for secrets.'),
  build_secrets: z
    .array(text(255, 1).trim().regex(variableName, { error: variableNameError }))
    .max(100, { error: 'Must have at most 100 entries.' })
    .default([])
    .describe(
      'Names of environment variables that the build can mount as secrets with the same ID. Values are not stored in the image.',
    ),
  submodules: z.boolean().default(false),
  lfs: z.boolean().default(false).describe('Whether to fetch Git LFS files.'),
  build_memory: runtime.memory_limit
    .default(null)
    .describe('Memory limit of a build in bytes; null for a limit that depends on the server.'),
  build_cpus: runtime.cpu_limit
    .default(null)
    .describe('CPU limit of a build in cores; null for a limit that depends on the server.'),
  build_minutes: wholeNumber(1, 360).default(30).describe('Build timeout in minutes.'),
}

export const triggerFields = {
  deploy_on: z
    .enum(deployOn)
    .default('push')
    .describe(
      '`push`: on pushes to the branch. `tag`: on tags that match `tags`. `nothing`: manual deployments only.',
    ),
  tags: text(200).trim().default('').describe('For `tag`: tag pattern, such as v*; empty for all tags.'),
  watch_paths: z
    .array(
      text(500, 1)
        .trim()
        .refine((path) => !path.startsWith('/') && !path.split('/').includes('..'), {
          error: 'Must be a path or a pattern inside the repository, such as api/**.',
        }),
    )
    .max(100, { error: 'Must have at most 100 entries.' })
    .default([])
    .describe('A push is deployed only if it changes one of these paths; empty for all paths.'),
}

export const repositoryFields = {
  integration_id: idInput('integration'),
  repository: repositoryName,
  branch: refName,
  ...buildFields,
  ...triggerFields,
}

export const commit = z.object({
  sha: z.string(),
  message: z.string().describe('First line of the commit message.'),
  author: z.string().nullable(),
  branch: z.string().nullable().describe('Branch or tag.'),
  url: z.string(),
})

export const repositorySettings = z.object({
  integration_id: id('integration')
    .nullable()
    .describe('Connected account; null if it was disconnected. Builds are not possible without it.'),
  repository: z.string(),
  branch: z.string(),
  folder: z.string(),
  builder: z.enum(builders),
  dockerfile: z.string(),
  generated: z.string().nullable(),
  target: z.string(),
  build_args: z
    .array(z.object({ key: z.string(), value: z.string().nullable() }))
    .describe('Build arguments. Values are null if your role cannot read them.'),
  build_secrets: z.array(z.string()),
  submodules: z.boolean(),
  lfs: z.boolean(),
  build_memory: z.number().nullable(),
  build_cpus: z.number().nullable(),
  build_minutes: z.int(),
  deploy_on: z.enum(deployOn),
  tags: z.string(),
  watch_paths: z.array(z.string()),
})
