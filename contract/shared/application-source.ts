import { z } from 'zod'
import { composeText, profiles } from '../compose.ts'
import { imageName } from '../images.ts'
import { repositoryFields } from './repository-fields.ts'
import { name } from './text-fields.ts'

const imageSource = z.strictObject({ type: z.literal('docker_image'), image: imageName })
const githubSource = z.strictObject({ type: z.literal('github'), ...repositoryFields })
const composeSource = z.strictObject({
  type: name(50).regex(/^(?!github$|docker_image$)/, { error: 'Must be compose.' }),
  compose: composeText,
  profiles: profiles.default([]),
})

/** Source types are not case-sensitive. */
const lowerCaseType = (input: unknown) =>
  typeof input === 'object' && input !== null && 'type' in input && typeof input.type === 'string'
    ? { ...input, type: input.type.toLowerCase() }
    : input

/** Any type other than `docker_image` and `github` is a compose file. */
const sources = z.union([imageSource, githubSource, composeSource], {
  error: ({ input }) =>
    input === undefined
      ? 'Is required.'
      : 'Must be an image of type docker_image, a repository of type github, or a compose file of type compose.',
})

export const source = z.preprocess<unknown, typeof sources, z.input<typeof sources>>(lowerCaseType, sources)
